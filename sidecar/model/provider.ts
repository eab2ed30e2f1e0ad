/** The providers Belay knows by name: where they live, what their key is called, and which dialect they speak. */

export type DialectName = 'anthropic' | 'openai-chat'

export interface Provider {
  readonly id: string
  readonly label: string
  readonly dialect: DialectName
  /** Without a trailing slash; the dialect adds its path. */
  readonly baseUrl: string
  /** Variables of the person's own environment, never of a workspace. */
  readonly keyVariable: string | null
  readonly baseUrlVariable: string | null
  /** On this machine: found by asking its port, and free. */
  readonly local: boolean
}

const compatible = (id: string, label: string, baseUrl: string, keyVariable: string): Provider => ({
  id,
  label,
  dialect: 'openai-chat',
  baseUrl,
  keyVariable,
  baseUrlVariable: null,
  local: false,
})
const onThisMachine = (id: string, label: string, port: number): Provider => ({
  id,
  label,
  dialect: 'openai-chat',
  baseUrl: `http://127.0.0.1:${port}/v1`,
  keyVariable: null,
  baseUrlVariable: null,
  local: true,
})

export const providers: readonly Provider[] = [
  {
    id: 'anthropic',
    label: 'Anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    local: false,
  },
  {
    id: 'openai',
    label: 'OpenAI',
    dialect: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    local: false,
  },
  compatible('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  compatible('gemini', 'Google Gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'),
  compatible('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  compatible('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  compatible('groq', 'Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  compatible('xai', 'xAI', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  compatible('moonshot', 'Moonshot', 'https://api.moonshot.cn/v1', 'MOONSHOT_API_KEY'),
  compatible('dashscope', 'DashScope', 'https://dashscope.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  onThisMachine('ollama', 'Ollama', 11434),
  onThisMachine('lmstudio', 'LM Studio', 1234),
  onThisMachine('llamacpp', 'llama.cpp', 8080),
]

/** `anthropic/claude-x` -> its provider and the id the provider knows; ids may hold slashes themselves. */
export function splitModel(model: string): { provider: string; id: string } {
  const slash = model.indexOf('/')
  return slash === -1 ? { provider: model, id: '' } : { provider: model.slice(0, slash), id: model.slice(slash + 1) }
}
