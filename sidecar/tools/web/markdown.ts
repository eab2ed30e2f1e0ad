/** A page as Markdown: what a reader would see of it. Scripts, styles, forms' machinery, comments and hidden parts are left out. */
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

/** As much of hast as is looked at here. */
interface Node {
  type: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: Node[]
  value?: string
}

export interface Markdown {
  readonly title: string
  readonly text: string
}

/** `base`: the address that relative links start at. May take long on a page made for that: see markdown-worker.ts. */
export function toMarkdown(html: string, base: string): Markdown {
  let title = ''
  const text = unified()
    .use(rehypeParse)
    .use(() => (tree: Node) => {
      title = titleIn(tree)
      prune(tree, base)
    })
    .use(rehypeRemark)
    .use(remarkGfm)
    .use(remarkStringify, { bullet: '-', emphasis: '_', fences: true, rule: '-', listItemIndent: 'one' })
    .processSync(html)
  return { title, text: String(text).trim() }
}

const dropped = new Set([
  ...['script', 'style', 'noscript', 'template', 'iframe', 'object', 'embed', 'applet', 'frame', 'frameset', 'svg'],
  ...['canvas', 'audio', 'video', 'input', 'textarea', 'select', 'button', 'dialog', 'map', 'link', 'meta', 'title'],
])

/** Without recursion: a page may be nested as deep as it likes. */
function prune(tree: Node, base: string): void {
  const waiting = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!node.children) continue
    node.children = node.children.filter(isShown).map(child => straightened(child, base))
    for (const child of node.children) waiting.push(child)
  }
}

function isShown({ type, tagName, properties = {} }: Node): boolean {
  if (type === 'comment' || type === 'doctype') return false
  if (type !== 'element') return true
  if (dropped.has(tagName ?? '')) return false
  if (properties.hidden !== undefined && properties.hidden !== null && properties.hidden !== false) return false
  if (properties.ariaHidden === 'true' || properties.ariaHidden === true) return false
  return !isHiddenByStyle(String(properties.style ?? ''))
}

/** Only what an element says of itself: a stylesheet may hide more. */
const isHiddenByStyle = (style: string): boolean =>
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*:\s*0*(\.0+)?\s*(;|!|$)|font-size\s*:\s*0*(\.\d{0,2})?(px|em|rem|pt|%)?\s*(;|!|$)|(max-)?(width|height)\s*:\s*0(px)?\s*(;|!|$)|(left|top|text-indent)\s*:\s*-\d{3,})/i.test(
    style,
  )

/** Links become whole and lead to the web only; a picture becomes its words. */
function straightened(node: Node, base: string): Node {
  const { tagName, properties } = node
  if (tagName === 'a') {
    const href = webAddress(String(properties?.href ?? ''), base)
    return href ? { ...node, properties: { href } } : { ...node, tagName: 'span', properties: {} }
  }
  if (tagName !== 'img') return node
  const alt = String(properties?.alt ?? '').trim()
  return { type: 'text', value: alt ? `(image: ${alt})` : '' }
}

function webAddress(href: string, base: string): string | null {
  if (href === '' || href.startsWith('#') || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  return url.protocol === 'https:' || url.protocol === 'http:' || url.protocol === 'mailto:' ? url.href : null
}

function titleIn(tree: Node): string {
  const waiting = [tree]
  for (let node = waiting.shift(), seen = 0; node && seen < 5000; node = waiting.shift(), seen++) {
    if (node.tagName === 'title') return (node.children ?? []).map(({ value = '' }) => value).join('')
    waiting.push(...(node.children ?? []).slice(0, 100))
  }
  return ''
}
