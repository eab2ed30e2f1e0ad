/** Markdown in the editor's boxes loads no picture from anywhere: what it names would hear that it is being read. */
import { MarkdownRendererService } from 'monaco-editor/platform/markdown/browser/markdownRenderer.js'

/** Once, before the first editor. */
export function keepPicturesOut(): void {
  const { render } = MarkdownRendererService.prototype
  MarkdownRendererService.prototype.render = function (markdown, options, into) {
    const sanitizerConfig = { ...options?.sanitizerConfig, remoteImageIsAllowed: () => false }
    return render.call(this, markdown, { ...options, sanitizerConfig }, into)
  }
}
