/** The pieces of the transcript. Each draws itself in the width it is given, and remembers what it drew until it changes. */
import { type Component, Markdown, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'
import type { ToolItem } from '#contract/session-state'
import { visibleText } from '../../base/foreign-text.ts'
import { readInput } from '../headless/stream-lines.ts'
import type { Theme } from './theme.ts'
import { countsOf, secondsOf, tailOf, targetOf, verdictOf } from './tool-words.ts'

/** Lines of a call that is open: of its output while it runs, or of why it failed. */
const FEW_LINES = 4
const MANY_LINES = 30

/** Draws again only where the width or what it shows has changed. */
abstract class Block implements Component {
  private drawn: { width: number; lines: string[] } | null = null

  protected abstract draw(width: number): string[]

  render(width: number): string[] {
    if (this.drawn?.width !== width) this.drawn = { width, lines: this.draw(width) }
    return this.drawn.lines
  }

  invalidate(): void {
    this.drawn = null
  }
}

const indented = (text: string, width: number, lead: string, rest: string): string[] =>
  wrapTextWithAnsi(text, Math.max(1, width - 2)).map((line, at) =>
    truncateToWidth(`${at === 0 ? lead : rest}${line}`, width),
  )

/** A person's words. */
export class Said extends Block {
  constructor(
    private readonly words: string,
    private readonly theme: Theme,
    private readonly mark = '›',
  ) {
    super()
  }

  protected draw(width: number): string[] {
    const { accent, bold } = this.theme
    return ['', ...indented(bold(visibleText(this.words)), width, `${accent(this.mark)} `, '  ')]
  }
}

/** An answer, also while it streams. */
export class Answer implements Component {
  private text = ''
  private readonly markdown: Markdown

  constructor(theme: Theme) {
    this.markdown = new Markdown('', 0, 0, theme.markdown)
  }

  /** All of it so far. */
  set(text: string): void {
    if (text === this.text) return
    this.text = text
    this.markdown.setText(visibleText(text))
  }

  render(width: number): string[] {
    return this.text.trim() === '' ? [] : ['', ...this.markdown.render(width)]
  }

  invalidate(): void {
    this.markdown.invalidate()
  }
}

/** What the model thought: a line, or all of it. */
export class Thought extends Block {
  private text = ''
  private seconds: string | null = null
  open = false

  constructor(private readonly theme: Theme) {
    super()
  }

  /** All of it so far. */
  set(text: string): void {
    this.text = text
    this.invalidate()
  }

  end(text: string, durationMs: number): void {
    this.text = text
    this.seconds = secondsOf(durationMs)
    this.invalidate()
  }

  protected draw(width: number): string[] {
    const { dim } = this.theme
    const head = this.seconds === null ? 'Thinking…' : `Thought${this.seconds ? ` for ${this.seconds}` : ''}`
    const lines = [truncateToWidth(dim(`∴ ${head}`), width)]
    if (this.open) lines.push(...indented(dim(visibleText(this.text)), width, '  ', '  '))
    return ['', ...lines]
  }
}

/** One call: a line; its output while it runs, why it failed, or all that is kept where it is open. */
export class Call extends Block {
  private item: ToolItem
  private output = ''
  open = false

  constructor(
    item: ToolItem,
    private readonly theme: Theme,
  ) {
    super()
    this.item = item
  }

  set(item: ToolItem): void {
    this.item = item
    this.invalidate()
  }

  /** All that it wrote so far. */
  setOutput(output: string): void {
    this.output = output.slice(-4000)
    this.invalidate()
  }

  protected draw(width: number): string[] {
    const { dim, good, bad, warn } = this.theme
    const { item } = this
    const running = item.state === 'requested' || item.state === 'running'
    const mark = running ? dim('●') : item.state === 'done' ? good('●') : item.state === 'denied' ? warn('○') : bad('✗')
    const verdict = verdictOf(item.lsp)
    const facts = [
      countsOf(item.files),
      verdict.startsWith('LSP ✓') ? good(verdict) : bad(verdict),
      running ? '' : dim(secondsOf(item.durationMs)),
      item.state === 'done' || running ? '' : item.state,
    ].filter(each => each.trim() !== '')
    const what = targetOf(item.started ?? readInput(item.arguments))
    const right = facts.length > 0 ? `  ${facts.join('  ')}` : ''
    const head = truncateToWidth(`${mark} ${this.theme.bold(item.tool)} ${what}`, Math.max(10, width - 24))
    return [
      '',
      truncateToWidth(`${head}${right}`, width),
      ...this.below(running).map(line => truncateToWidth(dim(`  ${line}`), width)),
    ]
  }

  private below(running: boolean): string[] {
    if (running) return visibleText(this.output).trimEnd().split('\n').filter(Boolean).slice(-FEW_LINES)
    if (this.open) return tailOf(this.item, MANY_LINES)
    return this.item.state === 'done' ? [] : tailOf(this.item, FEW_LINES)
  }
}

/** A line of Belay's own: what happened, a fault, how a turn ended. */
export class Note extends Block {
  constructor(
    private readonly words: string,
    private readonly paint: (text: string) => string,
    /** With a line above it. */
    private readonly apart = true,
  ) {
    super()
  }

  protected draw(width: number): string[] {
    const lines = indented(this.paint(visibleText(this.words)), width, '', '')
    return this.apart ? ['', ...lines] : lines
  }
}
