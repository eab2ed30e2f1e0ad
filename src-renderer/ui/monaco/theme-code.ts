/** Colours of what stands over and between the lines of code: suggestions, hovers, peeks, hints, lists of actions. */

export type Colours = Record<string, string>
/** A CSS token of ours as `#rrggbbaa`. */
export type ReadToken = (token: string) => string

export function codeBoxes(read: ReadToken): Colours {
  const panel = { background: read('--bg-2'), border: read('--line-2'), foreground: read('--fg-0') }
  const accent = read('--accent').slice(0, 7)
  return {
    'editorHoverWidget.background': panel.background,
    'editorHoverWidget.border': panel.border,
    'editorHoverWidget.foreground': panel.foreground,
    'editorHoverWidget.highlightForeground': read('--accent'),
    'editorHoverWidget.statusBarBackground': read('--bg-1'),
    'editorSuggestWidget.background': panel.background,
    'editorSuggestWidget.border': panel.border,
    'editorSuggestWidget.foreground': read('--fg-1'),
    'editorSuggestWidget.selectedBackground': read('--bg-3'),
    'editorSuggestWidget.selectedForeground': read('--fg-0'),
    'editorSuggestWidget.selectedIconForeground': read('--fg-0'),
    'editorSuggestWidget.highlightForeground': read('--accent'),
    'editorSuggestWidget.focusHighlightForeground': read('--accent'),
    'editorSuggestWidgetStatus.foreground': read('--fg-2'),
    'editorActionList.background': panel.background,
    'editorActionList.foreground': panel.foreground,
    'editorActionList.focusBackground': read('--bg-3'),
    'editorActionList.focusForeground': read('--fg-0'),
    'list.activeSelectionBackground': read('--bg-3'),
    'list.activeSelectionForeground': read('--fg-0'),
    'list.inactiveSelectionBackground': read('--bg-3'),
    'list.focusForeground': read('--fg-0'),
    'list.highlightForeground': read('--accent'),
    'list.focusHighlightForeground': read('--accent'),
    'tree.indentGuidesStroke': read('--line-2'),
    'icon.foreground': read('--fg-2'),
    'badge.background': read('--accent-soft'),
    'badge.foreground': read('--fg-1'),
    'progressBar.background': read('--accent'),
    'textCodeBlock.background': read('--bg-1'),
    'textPreformat.foreground': read('--fg-0'),
    'textPreformat.background': read('--bg-3'),
    'textLink.activeForeground': read('--accent'),
    'textSeparator.foreground': read('--line-1'),
    'peekView.border': `${accent}90`,
    'peekViewTitle.background': read('--bg-1'),
    'peekViewTitleLabel.foreground': read('--fg-0'),
    'peekViewTitleDescription.foreground': read('--fg-2'),
    'peekViewEditor.background': read('--bg-1'),
    'peekViewEditorGutter.background': read('--bg-1'),
    'peekViewEditorStickyScroll.background': read('--bg-1'),
    'peekViewEditorStickyScrollGutter.background': read('--bg-1'),
    'peekViewEditor.matchHighlightBackground': `${read('--ask').slice(0, 7)}40`,
    'peekViewResult.background': read('--bg-1'),
    'peekViewResult.fileForeground': read('--fg-0'),
    'peekViewResult.lineForeground': read('--fg-1'),
    'peekViewResult.matchHighlightBackground': `${read('--ask').slice(0, 7)}40`,
    'peekViewResult.selectionBackground': read('--bg-3'),
    'peekViewResult.selectionForeground': read('--fg-0'),
    'editorInlayHint.background': read('--bg-2'),
    'editorInlayHint.foreground': read('--fg-2'),
    'editorLightBulb.foreground': read('--ask'),
    'editorLightBulbAutoFix.foreground': read('--accent'),
    'editorMarkerNavigation.background': read('--bg-1'),
    'editorMarkerNavigationError.background': read('--err'),
    'editorMarkerNavigationWarning.background': read('--ask'),
    'editorMarkerNavigationInfo.background': read('--syn-fn'),
    'editorOverviewRuler.errorForeground': read('--err'),
    'editorOverviewRuler.warningForeground': read('--ask'),
    'editorOverviewRuler.infoForeground': read('--syn-fn'),
    'editorUnnecessaryCode.opacity': '#000000a0',
    'editorHint.foreground': read('--fg-3'),
    'keybindingLabel.background': read('--bg-3'),
    'keybindingLabel.foreground': read('--fg-1'),
    'keybindingLabel.border': read('--line-2'),
    'keybindingLabel.bottomBorder': read('--line-2'),
    ...symbolIcons(read),
  }
}

function symbolIcons(read: ReadToken): Colours {
  const tokens = {
    '--syn-fn': ['function', 'method', 'constructor', 'event'],
    '--syn-type': ['class', 'interface', 'struct', 'enum', 'namespace', 'module', 'typeParameter'],
    '--syn-num': ['constant', 'enumMember', 'number', 'boolean', 'string', 'color', 'unit', 'null'],
    '--syn-key': ['keyword', 'operator'],
    '--fg-2': [
      'array',
      'field',
      'file',
      'folder',
      'key',
      'object',
      'package',
      'property',
      'reference',
      'snippet',
      'text',
    ],
    '--fg-1': ['variable'],
  }
  return Object.fromEntries(
    Object.entries(tokens).flatMap(([token, names]) =>
      names.map(name => [`symbolIcon.${name}Foreground`, read(token)]),
    ),
  )
}
