/**
 * Markdown from models and files, which is hostile: no raw HTML, no remote pictures (a link stands for them), no scheme but
 * http, https and mailto, and a link does nothing but call `onLink`.
 */
import { type ComponentProps, createContext, memo, type ReactNode, useContext, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'
import { splitBlocks } from './markdown-blocks.ts'
import './markdown.css'

export interface MarkdownProps {
  readonly text: string
  /** Asked for every click on a link; relative addresses come as they stand. Without it links are text. */
  readonly onLink?: (href: string) => void
  /** More is coming: code stays plain until its fence is closed. */
  readonly streaming?: boolean
  readonly className?: string
}

interface Surroundings {
  readonly onLink?: (href: string) => void
  readonly streaming: boolean
}
const Around = createContext<Surroundings>({ streaming: false })

export function MarkdownView({ text, onLink, streaming = false, className }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text])
  const quiet = useMemo(() => ({ onLink, streaming: false }), [onLink])
  const live = useMemo(() => ({ onLink, streaming }), [onLink, streaming])
  return (
    <div className={className ? `ui-markdown ${className}` : 'ui-markdown'}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block's place is its name
        <Around key={index} value={index === blocks.length - 1 ? live : quiet}>
          <Block text={block} />
        </Around>
      ))}
    </div>
  )
}

const Block = memo(function Block({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} components={components}>
      {text}
    </ReactMarkdown>
  )
})

function Link({ href, children }: { readonly href?: string; readonly children?: ReactNode }) {
  const { onLink } = useContext(Around)
  if (!href || !onLink) return <span className="ui-markdown-link">{children}</span>
  return (
    <a
      href={href}
      title={href}
      onClick={event => {
        event.preventDefault()
        onLink(href)
      }}
      onAuxClick={event => event.preventDefault()}
    >
      {children}
    </a>
  )
}

function Picture({ src, alt }: ComponentProps<'img'>) {
  return <Link href={typeof src === 'string' ? src : undefined}>{alt || String(src ?? '')}</Link>
}

function Pre({ children }: { readonly children?: ReactNode }) {
  const { streaming } = useContext(Around)
  const inside = (children as { props?: { className?: string; children?: ReactNode } } | undefined)?.props
  const language = /language-([^\s]+)/.exec(inside?.className ?? '')?.[1] ?? null
  const code = String(inside?.children ?? '').replace(/\n$/, '')
  return <CodeBlock code={code} language={language} streaming={streaming} />
}

function Table({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="ui-markdown-table">
      <table>{children}</table>
    </div>
  )
}

const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  pre: ({ children }) => <Pre>{children}</Pre>,
  table: ({ children }) => <Table>{children}</Table>,
}
