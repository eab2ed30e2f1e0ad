/** The guide's sentences, in both languages. Markdown; file names are links that open the place. */
import type { Language } from './intent.ts'
import type { OutlineEntry } from './outline.ts'

export const link = (path: string, line?: number): string =>
  `[${path.replace(/([[\]\\])/g, '\\$1')}${line ? `:${line}` : ''}](<${path.replace(/[<>]/g, encodeURIComponent)}${line ? `#L${line}` : ''}>)`
/** Text as inline code, whatever it holds. */
export const code = (text: string): string => {
  const fence = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(match => match[0].length)) + 1)
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `\`${text}\``
}
export const block = (text: string, language = ''): string => {
  const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length)) + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
const bullets = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n')

const en = {
  hello: (examples: readonly string[]) =>
    `Hello. I am Belay's built-in guide: not an AI, but I use the real tools and show you around. Try:\n\n${bullets(examples)}`,
  unknown: (examples: readonly string[]) =>
    `I am the built-in guide, not an AI, and I did not understand that. In this folder you could say:\n\n${bullets(examples)}\n\nFor free conversation add a model: say "how do I add a model".`,
  looking: 'I look around first.',
  searching: (what: string) => `I search for ${code(what)}.`,
  reading: (file: string) => `I read ${link(file)}.`,
  running: (command: string) => `I would like to run ${code(command)}. You decide.`,
  editing: (file: string, count: number) =>
    `${count === 1 ? 'It occurs once' : `It occurs ${count} times`} in ${link(file)}. I propose the change; you decide.`,
  creating: (file: string) => `I propose to create ${link(file)}; you decide.`,
  inside: (folder: string, folders: readonly string[], files: readonly string[]) =>
    `${folder === '.' ? 'This folder' : link(folder)} holds ${folders.length} folders and ${files.length} files.\n\n${bullets([...folders.map(name => `${code(name)} (folder)`), ...files.map(name => link(folder === '.' ? name : `${folder}/${name}`))].slice(0, 60))}`,
  noFolder: (folder: string, reason: string) => `I could not list ${code(folder)}: ${reason}`,
  found: (what: string, matches: readonly string[], files: readonly string[], more: boolean) =>
    matches.length + files.length === 0
      ? `${code(what)} occurs nowhere in this folder's files or names (ignored files were left out).`
      : [
          files.length > 0 ? `Files by that name:\n\n${bullets(files.map(file => link(file)))}` : '',
          matches.length > 0 ? `In the text${more ? ' (the first of more)' : ''}:\n\n${bullets(matches)}` : '',
        ]
          .filter(part => part !== '')
          .join('\n\n'),
  opened: (file: string, lines: number, more: boolean) =>
    `Here is ${link(file)}${lines === 0 ? ', which is empty' : more ? '; it goes on after the lines I read' : `, ${lines} lines`}. Click it to open it in the editor.`,
  several: (what: string, files: readonly string[]) =>
    `Several files fit ${code(what)}. Say which:\n\n${bullets(files.slice(0, 20).map(file => link(file)))}`,
  none: (what: string) => `No file fits ${code(what)}. Say "what is in here" to see what there is.`,
  explained: (file: string, lines: number, entries: readonly OutlineEntry[], more: boolean) =>
    entries.length === 0
      ? `${link(file)} has ${lines} lines${more ? ' in the part I read' : ''}, and I find no declarations in it that I know how to outline.`
      : `${link(file)}${more ? ' (its first part)' : ''}, ${lines} lines, by its outline. I only say what stands there, not what it is for:\n\n${bullets(entries.map(({ line, name, what }) => `${link(file, line)} ${what} ${code(name)}`))}`,
  ran: (command: string, output: string) => `${code(command)} ended well.\n\n${block(output)}`,
  ranBadly: (command: string, output: string) => `${code(command)} did not end well.\n\n${block(output)}`,
  refusedByYou: (reason: string) => `That did not happen, and nothing was changed: ${reason}`,
  edited: (file: string, result: string) => `Done. ${result} Open ${link(file)} to look, or say "undo that".`,
  absent: (old: string, file: string) =>
    `${code(old)} does not occur in ${link(file)}, so there is nothing to replace.`,
  created: (file: string) => `Done: ${link(file)} is there. Say "undo that" to take it back.`,
  changes: (status: string, diff: string) =>
    `What git says:\n\n${block(status)}${diff ? `\n\n${block(diff, 'diff')}` : ''}`,
  noChanges: 'Git says that nothing changed.',
  noGit: (edits: readonly string[]) =>
    edits.length === 0
      ? 'This folder has no git repository, and I have changed nothing in this session.'
      : `This folder has no git repository. In this session I changed:\n\n${bullets(edits.map(file => link(file)))}`,
  nothingToUndo: 'I have changed no file in this session that is still to take back.',
  undoing: (file: string) => `I propose to take back my last change of ${link(file)}; you decide.`,
  undone: (file: string) => `Taken back: ${link(file)} is as it was before my change.`,
  noTests:
    'I found no test command in this folder (a "test" script in package.json, a Makefile, Cargo.toml, go.mod or pyproject.toml).',
  tour: (facts: {
    name: string
    about: string
    folders: readonly string[]
    files: readonly string[]
    scripts: readonly string[]
    readme: string
  }) =>
    [
      facts.about ? `**${facts.name}**: ${facts.about}` : `**${facts.name}**`,
      facts.readme ? `${link(facts.readme)} tells more.` : 'There is no README.',
      facts.folders.length > 0 ? `Folders: ${facts.folders.map(code).join(', ')}.` : 'There are no folders.',
      facts.files.length > 0
        ? `Files at the top: ${facts.files
            .slice(0, 12)
            .map(file => link(file))
            .join(', ')}${facts.files.length > 12 ? ' and more' : ''}.`
        : '',
      facts.scripts.length > 0 ? `Scripts you can run: ${facts.scripts.slice(0, 10).map(code).join(', ')}.` : '',
      'Say "explain" and a file name to see its outline.',
    ]
      .filter(part => part !== '')
      .join('\n\n'),
  addModel:
    'Three ways, and nothing is sent before you choose:\n\n1. **A key you have.** Settings, Models: paste it there, or put it into your own environment (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY` and their kind) and start Belay again. Belay never reads keys from a folder you open.\n2. **A model on this machine.** Start Ollama, LM Studio or llama.cpp; Belay finds it.\n3. **For one run:** `belay run --model anthropic/<model id> "..."`.\n\nThen choose it under the message field.',
  abilities:
    'I am the guide: not an AI. I may look at the files of this folder. Everything that writes a file or runs a command asks you first; you see exactly what it is, and you can deny it. I can give a tour, list, find, open and outline files, replace text, create files, run commands and tests, show changes, and take my last change back. A real model works under the same rules: Plan only reads, Ask asks for each change, Edit may edit in this folder; commands ask every time.',
  failed: (reason: string) => `That did not work: ${reason}`,
  examples: {
    explain: (file: string) => `explain ${file}`,
    find: (what: string) => `find ${what}`,
    run: (command: string) => `run ${command}`,
    tour: 'give me a tour of this folder',
    inside: (folder: string) => `what is in ${folder}`,
    create: 'create notes.md with "First note"',
  },
}

const zh: typeof en = {
  hello: examples =>
    `你好。我是 Belay 内置的向导：不是 AI，但用的是真正的工具，带你熟悉这里。可以试试：\n\n${bullets(examples)}`,
  unknown: examples =>
    `我是内置的向导，不是 AI，没有听懂这句话。在这个文件夹里你可以说：\n\n${bullets(examples)}\n\n想自由对话，请添加一个模型：说“怎么添加模型”。`,
  looking: '我先看一看。',
  searching: what => `我来搜索 ${code(what)}。`,
  reading: file => `我来读 ${link(file)}。`,
  running: command => `我想运行 ${code(command)}，由你决定。`,
  editing: (file, count) => `它在 ${link(file)} 中出现 ${count} 次。我提出这个修改，由你决定。`,
  creating: file => `我提议创建 ${link(file)}，由你决定。`,
  inside: (folder, folders, files) =>
    `${folder === '.' ? '这个文件夹' : link(folder)}里有 ${folders.length} 个文件夹和 ${files.length} 个文件。\n\n${bullets([...folders.map(name => `${code(name)}（文件夹）`), ...files.map(name => link(folder === '.' ? name : `${folder}/${name}`))].slice(0, 60))}`,
  noFolder: (folder, reason) => `无法列出 ${code(folder)}：${reason}`,
  found: (what, matches, files, more) =>
    matches.length + files.length === 0
      ? `在这个文件夹的文件内容和文件名里都没有 ${code(what)}（被忽略的文件不在搜索范围内）。`
      : [
          files.length > 0 ? `同名的文件：\n\n${bullets(files.map(file => link(file)))}` : '',
          matches.length > 0 ? `文件内容中${more ? '（只列出前面一部分）' : ''}：\n\n${bullets(matches)}` : '',
        ]
          .filter(part => part !== '')
          .join('\n\n'),
  opened: (file, lines, more) =>
    `这是 ${link(file)}${lines === 0 ? '，它是空的' : more ? '，我读到的后面还有内容' : `，共 ${lines} 行`}。点击即可在编辑器中打开。`,
  several: (what, files) =>
    `有几个文件符合 ${code(what)}，请说明是哪一个：\n\n${bullets(files.slice(0, 20).map(file => link(file)))}`,
  none: what => `没有文件符合 ${code(what)}。说“这里有什么”可以看看有哪些文件。`,
  explained: (file, lines, entries, more) =>
    entries.length === 0
      ? `${link(file)}${more ? '我读到的部分' : ''}有 ${lines} 行，其中没有我会列大纲的声明。`
      : `${link(file)}${more ? '（前一部分）' : ''}，${lines} 行，大纲如下。我只说文件里写着什么，不猜它的用途：\n\n${bullets(entries.map(({ line, name, what }) => `${link(file, line)} ${what} ${code(name)}`))}`,
  ran: (command, output) => `${code(command)} 运行成功。\n\n${block(output)}`,
  ranBadly: (command, output) => `${code(command)} 没有成功。\n\n${block(output)}`,
  refusedByYou: reason => `没有执行，什么都没有改变：${reason}`,
  edited: (file, result) => `完成。${result} 打开 ${link(file)} 查看，或说“撤销”。`,
  absent: (old, file) => `${link(file)} 中没有 ${code(old)}，没有可替换的内容。`,
  created: file => `完成：${link(file)} 已创建。说“撤销”可以收回。`,
  changes: (status, diff) => `git 的结果：\n\n${block(status)}${diff ? `\n\n${block(diff, 'diff')}` : ''}`,
  noChanges: 'git 说没有任何改动。',
  noGit: edits =>
    edits.length === 0
      ? '这个文件夹没有 git 仓库，我在这次会话里也没有改过任何文件。'
      : `这个文件夹没有 git 仓库。在这次会话里我改过：\n\n${bullets(edits.map(file => link(file)))}`,
  nothingToUndo: '在这次会话里，我没有可以收回的修改。',
  undoing: file => `我提议收回对 ${link(file)} 的上一次修改，由你决定。`,
  undone: file => `已收回：${link(file)} 恢复到我修改之前的样子。`,
  noTests:
    '在这个文件夹里没有找到测试命令（package.json 的 "test" 脚本、Makefile、Cargo.toml、go.mod 或 pyproject.toml）。',
  tour: facts =>
    [
      facts.about ? `**${facts.name}**：${facts.about}` : `**${facts.name}**`,
      facts.readme ? `${link(facts.readme)} 里有更多介绍。` : '这里没有 README。',
      facts.folders.length > 0 ? `文件夹：${facts.folders.map(code).join('、')}。` : '这里没有文件夹。',
      facts.files.length > 0
        ? `顶层文件：${facts.files
            .slice(0, 12)
            .map(file => link(file))
            .join('、')}${facts.files.length > 12 ? ' 等' : ''}。`
        : '',
      facts.scripts.length > 0 ? `可以运行的脚本：${facts.scripts.slice(0, 10).map(code).join('、')}。` : '',
      '说“解释”加文件名，可以看它的大纲。',
    ]
      .filter(part => part !== '')
      .join('\n\n'),
  addModel:
    '有三种办法，在你选择之前不会发送任何内容：\n\n1. **你已有的密钥。** 在 设置 → 模型 里粘贴；或放进你自己的环境变量（`ANTHROPIC_API_KEY`、`OPENAI_API_KEY` 等）后重新启动 Belay。Belay 从不读取你打开的文件夹里的密钥。\n2. **本机上的模型。** 启动 Ollama、LM Studio 或 llama.cpp，Belay 会找到它。\n3. **只用一次：** `belay run --model anthropic/<模型 id> "..."`。\n\n然后在输入框下面选择它。',
  abilities:
    '我是向导，不是 AI。我可以查看这个文件夹里的文件。凡是写文件或运行命令，都会先问你；你能看到确切的内容，也可以拒绝。我会：导览、列出、查找、打开文件、列大纲、替换文字、创建文件、运行命令和测试、显示改动、收回我的上一次修改。真正的模型也遵守同样的规则：“计划”只读，“询问”每次改动都问，“编辑”可以在这个文件夹里修改；命令每次都要问。',
  failed: reason => `没有成功：${reason}`,
  examples: {
    explain: file => `解释 ${file}`,
    find: what => `查找 ${what}`,
    run: command => `运行 ${command}`,
    tour: '带我看看这个项目',
    inside: folder => `${folder} 里有什么`,
    create: '新建文件 notes.md 内容为 第一条笔记',
  },
}

export type Words = typeof en
export const wordsIn = (language: Language): Words => (language === 'zh' ? zh : en)
