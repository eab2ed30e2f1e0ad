import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { useSavedText } from './use-saved-text.ts'

let field: ReturnType<typeof useSavedText>
function Probe({ saved }: { readonly saved: string }) {
  field = useSavedText(saved)
  return null
}

test('a field follows what is saved, also in another form than it was written, and keeps what is written meanwhile', () => {
  const root = createRoot(document.createElement('div'))
  const saved = (text: string) => flushSync(() => root.render(<Probe saved={text} />))
  const write = (text: string) => flushSync(() => field.setText(text))
  saved('14')
  saved('15')
  expect(field.text).toBe('15')

  write('a,b')
  field.sends()
  saved('a, b')
  expect(field.text).toBe('a, b')

  write('16')
  field.sends()
  write('160')
  saved('16')
  expect(field.text).toBe('160')
  root.unmount()
})
