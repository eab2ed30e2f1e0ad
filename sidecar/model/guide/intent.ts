/** What a person asked the guide, in English or Chinese. A table of patterns, first match wins; nothing is guessed beyond it. */

export type Language = 'en' | 'zh'

export type Intent =
  | { kind: 'tour' | 'changes' | 'undo' | 'addModel' | 'abilities' | 'hello' | 'tests' | 'unknown' }
  | { kind: 'inside'; folder: string }
  | { kind: 'find' | 'open' | 'explain'; what: string }
  | { kind: 'run'; command: string }
  | { kind: 'replace'; old: string; wish: string; file: string }
  | { kind: 'create'; file: string; content: string | null }
export type IntentKind = Intent['kind']

export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')

/** Outer quotes of any kind, and a closing full stop outside them, are not part of what is meant. */
function bare(text: string | undefined): string {
  const trimmed = (text ?? '')
    .trim()
    .replace(/[?？。!！]+$/u, '')
    .trim()
  const quoted = /^(?:"(.*)"|'(.*)'|`(.*)`|“(.*)”|「(.*)」|‘(.*)’)$/su.exec(trimmed)
  return quoted ? (quoted.slice(1).find(part => part !== undefined) ?? '') : trimmed
}

type Rule = readonly [pattern: RegExp, make: (...groups: string[]) => Intent]

const simple = (kind: 'tour' | 'changes' | 'undo' | 'addModel' | 'abilities' | 'hello' | 'tests') => (): Intent => ({
  kind,
})

const rules: readonly Rule[] = [
  // replace A with B in F, in either order and language
  [
    /^(?:please )?(?:replace|change) (.+?) (?:with|by|to|into) (.+?) in (?:the )?(?:file )?(\S.*)$/is,
    (old, wish, file) => replace(old, wish, file),
  ],
  [
    /^(?:in|into) (\S+?),? (?:please )?(?:replace|change) (.+?) (?:with|by|to|into) (.+)$/is,
    (file, old, wish) => replace(old, wish, file),
  ],
  [
    /^(?:请)?(?:把|将)\s*(\S+?)\s*(?:里|中|里面|文件中|文件里)的\s*(.+?)\s*(?:替换|换|改)(?:成|为|做)\s*(.+)$/su,
    (file, old, wish) => replace(old, wish, file),
  ],
  [
    /^(?:请)?在\s*(\S+?)\s*(?:里|中|里面)?\s*(?:把|将)\s*(.+?)\s*(?:替换|换|改)(?:成|为|做)\s*(.+)$/su,
    (file, old, wish) => replace(old, wish, file),
  ],
  // create
  [
    /^(?:please )?(?:create|make|add) (?:a |an )?(?:new )?(?:file )?(?:called |named )?(\S+\.\S+|"[^"]+"|`[^`]+`)(?: (?:with|containing)(?: the)?(?: content| text)?:? (.+))?$/is,
    (file, content) => create(file, content),
  ],
  [/^new file (\S+)(?: (?:with|containing) (.+))?$/is, (file, content) => create(file, content)],
  [
    /^(?:请)?(?:新建|创建|建立)(?:一个)?(?:文件)?\s*(\S+?)\s*(?:[,，]?\s*内容(?:为|是|：|:)?\s*(.+))?$/su,
    (file, content) => create(file, content),
  ],
  // run
  [/^(?:please )?(?:run|execute) (?:the |all |my )*(?:tests?|test suite)\.?$/i, simple('tests')],
  [/^(?:请)?(?:运行|跑|执行)(?:一下)?(?:所有)?(?:的)?测试$/u, simple('tests')],
  [/^(?:please )?(?:run|execute)(?: the command)?:? (.+)$/is, command => ({ kind: 'run', command: bare(command) })],
  [/^(?:请)?(?:运行|执行)(?:一下)?(?:命令)?[:：]?\s*(.+)$/su, command => ({ kind: 'run', command: bare(command) })],
  // undo, changes
  [/^(?:please )?(?:undo|revert|take back)\b(?: (?:that|it|this|the last (?:change|edit)))?[.!]?$/i, simple('undo')],
  [/^(?:请)?(?:撤销|撤回|恢复|还原)(?:一下|刚才的?(?:修改|更改|改动)?|它|上一步)?$/u, simple('undo')],
  [
    /^(?:(?:please )?(?:show|list|see)(?: me)? )?(?:my|the|all|your)? ?(?:changes|diff)[.?]?$|^what (?:has |have you )?changed\??$|^git (?:diff|status)$/i,
    simple('changes'),
  ],
  [
    /^(?:请)?(?:显示|看看|查看|列出)?(?:我的|你的|所有)?(?:更改|改动|修改|变更|差异)(?:了什么)?[?？]?$|^(?:我|你)?改了(?:什么|哪些).*$/u,
    simple('changes'),
  ],
  // models, abilities
  [
    /\b(?:add|set up|configure|connect|use|choose|get)\b.*\b(?:models?|api keys?|keys?|provider|llm|ai)\b|\bhow\b.*\bmodels?\b/i,
    simple('addModel'),
  ],
  [
    /(?:添加|增加|设置|配置|接入|使用|换|选择).*(?:模型|密钥|API)|模型.*(?:怎么|如何)|(?:怎么|如何).*模型/iu,
    simple('addModel'),
  ],
  [
    /^(?:what (?:may|can|could) you do|what are you(?: allowed to do)?|who are you|help|permissions?|what do you do)\b.*$/i,
    simple('abilities'),
  ],
  [
    /^(?:你(?:能|可以|会)(?:做|干)?(?:些)?什么|你是谁|你是什么|帮助|权限|你有什么权限)[?？吗呢]*$/u,
    simple('abilities'),
  ],
  // tour, inside
  [
    /\b(?:tour|show me around|walk me through|look around|overview|introduce)\b|^what is this (?:project|repo(?:sitory)?|folder|code(?:base)?)\b.*$/i,
    simple('tour'),
  ],
  [
    /导览|参观|带我(?:看|逛|走)|介绍(?:一下)?(?:这个|此)?(?:项目|文件夹|目录|仓库|代码)|这(?:个|是)(?:什么)?(?:项目|仓库|文件夹).*(?:什么|干嘛|做什么)?/u,
    simple('tour'),
  ],
  [
    /^(?:what(?:'s| is| are)(?: there)? (?:in|inside)|list(?: the)?(?: files(?: in)?| folder)?|ls|show(?: me)?(?: the)? files(?: in)?)\s*(.*)$/i,
    folder => inside(folder),
  ],
  [/^(这里|这儿|.*?)(?:里面|里|中|下面|下)?(?:有什么|有哪些(?:文件|东西)?|都有什么)[?？]?$/u, folder => inside(folder)],
  [/^(?:请)?列出(?:一下)?(.*?)(?:的?(?:文件|目录|内容))?$/u, folder => inside(folder)],
  // explain, find, open: the widest patterns last
  [
    /^(?:please )?(?:explain|outline|summari[sz]e|describe)(?: (?:the|this|file|outline of|to me))* ?(.*)$/i,
    what => ({ kind: 'explain', what: bare(what) }),
  ],
  [/^what (?:does|is in) (\S+\.\S+)(?: do| contain)?\??$/i, what => ({ kind: 'explain', what: bare(what) })],
  [
    /^(?:请)?(?:解释|说明|讲解|概括|总结)(?:一下)?(?:文件|这个文件)?\s*(.*?)(?:的?(?:大纲|内容|作用))?$/u,
    what => ({ kind: 'explain', what: bare(what) }),
  ],
  [/^(.+?)的?大纲$/u, what => ({ kind: 'explain', what: bare(what) })],
  [
    /^(?:please )?(?:find|search(?: for)?|grep|look for|locate)(?: (?:all|every|the|uses of|where))* (.+)$/is,
    what => ({ kind: 'find', what: bare(what) }),
  ],
  [
    /^where (?:is|are|do(?:es)?)(?: the| we)? (.+?)(?: (?:defined|used|declared|located))?\??$/i,
    what => ({ kind: 'find', what: bare(what) }),
  ],
  [/^(?:请)?(?:查找|搜索|寻找|找一?下|找到?|搜一?下?)\s*(.+)$/su, what => ({ kind: 'find', what: bare(what) })],
  [/^(.+?)(?:在哪里|在哪儿|在哪|在什么地方)[?？]?$/u, what => ({ kind: 'find', what: bare(what) })],
  [
    /^(?:please )?(?:open|show(?: me)?|read|view|cat)(?: the)?(?: file)? (.+)$/i,
    what => ({ kind: 'open', what: bare(what) }),
  ],
  [/^(?:请)?(?:打开|查看|看看|显示|读一?下?)(?:文件)?\s*(.+)$/u, what => ({ kind: 'open', what: bare(what) })],
  [/^(?:hi|hello|hey|good (?:morning|evening|afternoon)|你好|您好|嗨|早上好)[.!,，。！ ]*$/iu, simple('hello')],
]

const replace = (old = '', wish = '', file = ''): Intent => ({
  kind: 'replace',
  old: bare(old),
  wish: bare(wish),
  file: bare(file),
})
const create = (file = '', content?: string): Intent => ({
  kind: 'create',
  file: bare(file),
  content: content === undefined ? null : bare(content),
})
const inside = (folder = ''): Intent => {
  const name = bare(
    folder.replace(
      /^(?:the |this )?(?:folder|directory|here|this folder|文件夹|目录|这里|这儿|这个?文件夹|当前目录)\s*/iu,
      '',
    ),
  )
  return { kind: 'inside', folder: name === '' || /^(?:here|this|it)$/i.test(name) ? '.' : name }
}

export function intentOf(text: string): Intent {
  const words = text.trim()
  for (const [pattern, make] of rules) {
    const match = pattern.exec(words)
    if (match) return make(...match.slice(1))
  }
  return { kind: 'unknown' }
}
