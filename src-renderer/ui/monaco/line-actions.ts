/** Small buttons at the right end of lines of an editor. They go along when it scrolls; keys have commands for the same. */
import type { editor } from 'monaco-editor/editor'
import './line-actions.css'

export interface LineAction {
  readonly label: string
  readonly tone?: 'ok' | 'danger' | 'plain'
  readonly onSelect: () => void
}
export interface LineActions {
  readonly line: number
  /** What they are about, for screen readers. */
  readonly label: string
  readonly actions: readonly LineAction[]
}

/** Pixels between them and the scroll bar. */
const FROM_RIGHT = 14
let count = 0

/** Shows them until the returned function is called. */
export function showLineActions(shown: editor.ICodeEditor, all: readonly LineActions[]): () => void {
  const widgets = all.map(each => {
    const node = draw(each)
    const id = `belay.line-actions.${++count}`
    const widget: editor.IOverlayWidget = { getId: () => id, getDomNode: () => node, getPosition: () => null }
    shown.addOverlayWidget(widget)
    return { widget, node, line: each.line }
  })
  const place = () => {
    const { height, verticalScrollbarWidth } = shown.getLayoutInfo()
    for (const { node, line } of widgets) {
      const top = shown.getTopForLineNumber(line) - shown.getScrollTop()
      const seen = top > -24 && top < height
      node.style.display = seen ? '' : 'none'
      node.style.top = `${top}px`
      node.style.right = `${verticalScrollbarWidth + FROM_RIGHT}px`
    }
  }
  place()
  // Hidden regions and view zones move lines without a scroll.
  const listening = [
    shown.onDidScrollChange(place),
    shown.onDidLayoutChange(place),
    shown.onDidContentSizeChange(place),
    shown.onDidChangeHiddenAreas(place),
  ]
  return () => {
    for (const each of listening) each.dispose()
    for (const { widget } of widgets) shown.removeOverlayWidget(widget)
  }
}

function draw({ label, actions }: LineActions): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'ui-line-actions'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', label)
  for (const { label: words, tone = 'plain', onSelect } of actions) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = words
    button.className = `ui-line-action ui-line-action-${tone}`
    // The editor would take the press for its own.
    button.addEventListener('mousedown', event => event.stopPropagation())
    button.addEventListener('click', event => {
      event.stopPropagation()
      onSelect()
    })
    bar.append(button)
  }
  return bar
}
