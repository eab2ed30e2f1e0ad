/** One attachment of words that were not sent yet, with a way to take it off. */
import { X } from 'lucide-react'
import { useT } from '../../ui/i18n.ts'

export function AttachmentChip({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  const t = useT()
  return (
    <li className="chat-chip">
      <span>{name}</span>
      <button type="button" aria-label={t('chat.removeAttachment', { name })} onClick={onRemove}>
        <X size={12} />
      </button>
    </li>
  )
}
