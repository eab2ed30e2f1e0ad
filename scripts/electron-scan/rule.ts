/** What a rule of the scanner is: it looks at one node of a source, or at all sources at once, and points at what a person must judge. */
import ts from 'typescript'

export interface Rule {
  /** Electronegativity's own name where it knows the same check. */
  readonly id: string
  readonly why: string
  /** Asked for every node of the desktop shell: src-main and src-preload. */
  readonly shell?: (node: ts.Node) => boolean
  /** Asked for every node of the window as well. */
  readonly anywhere?: (node: ts.Node) => boolean
  /** Asked once, of the whole shell: true where something must be there and is not. */
  readonly missing?: (shell: string) => boolean
}

/** `name: value` in an object. Shorthand and computed values come as they are: what is not spelled out is not known. */
export const property = (node: ts.Node): { name: string; value: ts.Expression } | null =>
  ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))
    ? { name: node.name.text, value: node.initializer }
    : null

/** The last name of what is called: `shell.openExternal(x)` -> openExternal. */
export const called = (node: ts.Node): { name: string; on: string; args: readonly ts.Expression[] } | null => {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return null
  const callee = node.expression
  const args = node.arguments ?? []
  if (ts.isIdentifier(callee)) return { name: callee.text, on: '', args }
  if (ts.isPropertyAccessExpression(callee)) return { name: callee.name.text, on: callee.expression.getText(), args }
  return null
}

export const calls =
  (...names: string[]) =>
  (node: ts.Node): boolean =>
    names.includes(called(node)?.name ?? '')

/** `on('name', …)` and its kin. */
export const listens =
  (...events: string[]) =>
  (node: ts.Node): boolean => {
    const call = called(node)
    const [event] = call?.args ?? []
    return (
      /^(on|once|addListener|prependListener)$/.test(call?.name ?? '') &&
      event !== undefined &&
      ts.isStringLiteralLike(event) &&
      events.includes(event.text)
    )
  }

export const imports =
  (...modules: string[]) =>
  (node: ts.Node): boolean =>
    (ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      modules.includes(node.moduleSpecifier.text)) ||
    (['require', 'import'].includes(nameOfLoader(node)) &&
      (node as ts.CallExpression).arguments.some(each => ts.isStringLiteralLike(each) && modules.includes(each.text)))

const nameOfLoader = (node: ts.Node): string =>
  ts.isCallExpression(node)
    ? node.expression.kind === ts.SyntaxKind.ImportKeyword
      ? 'import'
      : node.expression.getText()
    : ''

/** Any text in the source: a literal, a part of a template, a name. */
export const says =
  (pattern: RegExp) =>
  (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isIdentifier(node)) &&
    pattern.test(node.text)

/** An element of the page. */
export const element =
  (...tags: string[]) =>
  (node: ts.Node): boolean => {
    const tag = ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node) ? node.tagName.getText() : ''
    const made = called(node)?.name === 'createElement' ? called(node)?.args[0] : undefined
    return tags.includes(tag) || (made !== undefined && ts.isStringLiteralLike(made) && tags.includes(made.text))
  }
