/** Copies a text, and says so on itself. */
import { Button } from './button.tsx'
import { useT } from './i18n.ts'
import { useCopy } from './use-copy.ts'

export function CopyButton({ text }: { readonly text: string }) {
  const t = useT()
  const [copied, copy] = useCopy(text)
  return (
    <Button variant="ghost" onClick={copy}>
      {t(copied ? 'ui.copied' : 'ui.copy')}
    </Button>
  )
}
