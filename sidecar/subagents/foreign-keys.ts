/** Keys that agents of other products have, and what stands for them here. In lower case, without `-` and `_`. */

const noServers = 'it starts no servers for an agent. Take the line out; name the tools it may use under `tools`.'
const notPerAgent = (what: string) => `${what} is set for all of Belay, not for one agent. Take the line out.`

export const foreignKeys: Readonly<Record<string, string>> = {
  allowedtools: 'write `tools`; what is not on that list is not there.',
  permission: 'write `permissionRules`, a list of { tool, verdict, pattern }.',
  permissions: 'write `permissionRules`, a list of { tool, verdict, pattern }.',
  permissionmode: 'an agent works in the mode of the session. Take the line out.',
  mode: 'an agent works in the mode of the session. Take the line out.',
  isolation: 'commands run in the jail anyway. Take the line out.',
  prompt: 'the text below the front matter is the prompt. Put it there.',
  systemprompt: 'the text below the front matter is the prompt. Put it there.',
  enabled: 'take the file away to switch it off, or write `hidden: true` to keep it out of lists.',
  disable: 'take the file away to switch it off, or write `hidden: true` to keep it out of lists.',
  disabled: 'take the file away to switch it off, or write `hidden: true` to keep it out of lists.',
  primary: 'the session has its own agent; the others work for it. Take the line out.',
  mcp: noServers,
  mcpservers: noServers,
  skills: 'skills are not part of an agent. Take the line out and say in the text what it should know.',
  hooks: 'an agent has no hooks of its own. Take the line out.',
  memory: 'an agent starts anew each time. Take the line out and say in the text what it should know.',
  background: 'whoever calls an agent waits for it. Take the line out.',
  teamname: 'there are no teams of agents. Take the line out.',
  maxturns: notPerAgent('The limit of model calls'),
  steps: notPerAgent('The limit of model calls'),
  temperature: notPerAgent('How a model answers'),
  topp: notPerAgent('How a model answers'),
  effort: notPerAgent('The effort'),
  color: 'agents have no colour. Take the line out.',
}

/** Of one rule, as other products name its parts. */
export const foreignRuleKeys: Readonly<Record<string, string>> = {
  toolName: 'tool',
  behavior: 'verdict',
  behaviour: 'verdict',
  action: 'verdict',
  decision: 'verdict',
  glob: 'pattern',
  path: 'pattern',
  command: 'pattern',
}
