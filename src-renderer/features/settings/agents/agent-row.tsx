/** One agent: what it is for, what it may use, and what can be done with its file. */
import { Copy, Pencil, Trash2 } from 'lucide-react'
import type { AgentDefinition } from '#contract/agents'
import { useT } from '../../../ui/i18n.ts'
import { Badge, IconButton } from '../../../ui/index.ts'
import { FileLink } from '../file-link.tsx'

interface AgentRowProps {
  readonly agent: AgentDefinition
  readonly onEdit: (scope: 'user' | 'workspace') => void
  readonly onRemove: (scope: 'user' | 'workspace') => void
  readonly onCopy: () => void
}

export function AgentRow({ agent, onEdit, onRemove, onCopy }: AgentRowProps) {
  const t = useT()
  const { name, description, model, tools, disallowedTools, permissionRules, hidden, scope, file } = agent
  const own = scope === 'user' || scope === 'workspace' ? scope : null
  return (
    <li className="agent">
      <div className="agent-text">
        <div className="settings-name">
          <span className="mono">@{name}</span>
          <Badge tone={own ? 'accent' : 'plain'}>{t(`agents.scope.${scope}`)}</Badge>
          {hidden && <Badge>{t('agents.hidden')}</Badge>}
        </div>
        <div className="settings-about">{description}</div>
        <div className="agent-facts">
          <span>
            {tools.includes('*')
              ? t('agents.allTools')
              : t('agents.tools', { tools: tools.join(', ') || t('agents.noTools') })}
            {disallowedTools.length > 0 && ` ${t('agents.butNot', { tools: disallowedTools.join(', ') })}`}
          </span>
          {model && <span>{model}</span>}
          {permissionRules.length > 0 && <span>{t('agents.rules', { count: permissionRules.length })}</span>}
          {file && <FileLink file={file} />}
        </div>
      </div>
      <span className="agent-acts">
        {own && <IconButton label={t('agents.edit', { name })} icon={Pencil} size={14} onClick={() => onEdit(own)} />}
        <IconButton label={t('agents.copy', { name })} icon={Copy} size={14} onClick={onCopy} />
        {own && (
          <IconButton label={t('agents.remove', { name })} icon={Trash2} size={14} onClick={() => onRemove(own)} />
        )}
      </span>
    </li>
  )
}
