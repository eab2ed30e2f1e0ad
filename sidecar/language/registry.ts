/**
 * The servers Belay knows. Those that ship work without any set-up; the others are used where the person has them. Marked is
 * which of them run code of the project: these wait for full trust.
 */
import type { LanguageServerSetting } from '#contract/language'
import { endingOf, type ServerDefinition } from './definition.ts'

const extracted = (file: string) =>
  ({
    kind: 'package',
    package: 'vscode-langservers-extracted',
    file: `bin/vscode-${file}-language-server`,
    args: ['--stdio'],
  }) as const

const onPath = (...commands: readonly [string, ...string[]][]) => ({ kind: 'path', commands }) as const
const shipped = 'It comes with Belay; install Belay again.'

/** Schemas are read from disk alone: a file of the project must not make a server call a host of the project's choosing. */
const json: Pick<ServerDefinition, 'initialization' | 'settings'> = {
  initialization: { provideFormatter: true, handledSchemaProtocols: ['file'] },
  settings: { json: { validate: { enable: true }, format: { enable: true }, schemas: [] } },
}
const scripts = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
} as const
/** A renamed thing has its new name everywhere, and hints stand only where a value says nothing by itself. */
const scriptWishes = {
  preferences: { useAliasesForRenames: false },
  inlayHints: { parameterNames: { enabled: 'literals', suppressWhenArgumentMatchesName: true } },
  // Else it runs `npm install` for the types of what a JavaScript file imports.
  tsserver: { automaticTypeAcquisition: { enabled: false } },
}
const styles = { validate: true, lint: {} }

const native: readonly ServerDefinition[] = [
  {
    id: 'typescript',
    name: 'TypeScript',
    program: { kind: 'typescript' },
    languages: scripts,
    executesProjectCode: false,
    // It finds the tsconfig of each file by itself, however many there are.
    rootMarkers: [],
    install: shipped,
    followsMoves: true,
    settings: { typescript: scriptWishes, javascript: scriptWishes },
  },
  {
    id: 'json',
    name: 'JSON',
    program: extracted('json'),
    languages: { '.json': 'json', '.jsonc': 'jsonc', '.webmanifest': 'json' },
    executesProjectCode: false,
    rootMarkers: [],
    install: shipped,
    ...json,
  },
  {
    id: 'css',
    name: 'CSS',
    program: extracted('css'),
    languages: { '.css': 'css', '.scss': 'scss', '.less': 'less' },
    executesProjectCode: false,
    rootMarkers: [],
    install: shipped,
    initialization: { provideFormatter: true },
    settings: { css: styles, scss: styles, less: styles },
  },
  {
    id: 'html',
    name: 'HTML',
    program: extracted('html'),
    languages: { '.html': 'html', '.htm': 'html' },
    executesProjectCode: false,
    rootMarkers: [],
    install: shipped,
    initialization: { provideFormatter: true },
    settings: {
      html: { validate: { scripts: true, styles: true }, suggest: {}, format: {} },
      css: styles,
      javascript: { format: {} },
      // Without it the check of a script fails inside and answers as if there were no mistake.
      'js/ts': { implicitProjectConfig: {} },
    },
  },
  {
    id: 'yaml',
    name: 'YAML',
    program: {
      kind: 'package',
      package: 'yaml-language-server',
      file: 'bin/yaml-language-server',
      args: ['--stdio'],
    },
    languages: { '.yaml': 'yaml', '.yml': 'yaml' },
    executesProjectCode: false,
    rootMarkers: [],
    install: shipped,
    // With this, a schema that is not a file is asked of Belay, which calls nobody.
    afterInitialized: ['yaml/registerContentRequest'],
    settings: {
      yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false, url: '' }, schemas: {} },
      'yaml.schemaStore': { enable: false, url: '' },
      http: { proxy: '', proxyStrictSSL: true },
    },
    settleMs: 50,
    looksAfterMs: 190,
  },
  {
    id: 'python',
    name: 'Python (pyright)',
    program: { kind: 'package', package: 'pyright', file: 'langserver.index.js', args: ['--stdio'] },
    languages: { '.py': 'python', '.pyi': 'python' },
    executesProjectCode: false,
    rootMarkers: ['pyrightconfig.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'],
    install: shipped,
    settings: { python: { analysis: { diagnosticMode: 'openFilesOnly', autoSearchPaths: true } }, pyright: {} },
    settleMs: 50,
  },
  {
    id: 'bash',
    name: 'Bash',
    program: { kind: 'package', package: 'bash-language-server', file: 'out/cli.js', args: ['start'] },
    languages: { '.sh': 'shellscript', '.bash': 'shellscript' },
    executesProjectCode: false,
    rootMarkers: [],
    install: shipped,
    settings: { bashIde: { shellcheckPath: 'shellcheck', backgroundAnalysisMaxFiles: 200 } },
    checksWith: { program: 'shellcheck', install: 'install shellcheck, which does the checking' },
    settleMs: 50,
  },
]

const found: readonly ServerDefinition[] = [
  {
    id: 'clangd',
    name: 'C and C++ (clangd)',
    program: onPath(['clangd', '--background-index', '--clang-tidy', '--log=error']),
    languages: {
      '.c': 'c',
      '.h': 'c',
      '.cpp': 'cpp',
      '.cc': 'cpp',
      '.cxx': 'cpp',
      '.c++': 'cpp',
      '.hpp': 'cpp',
      '.hh': 'cpp',
      '.hxx': 'cpp',
      '.h++': 'cpp',
    },
    executesProjectCode: false,
    rootMarkers: ['compile_commands.json', 'compile_flags.txt', '.clangd', 'CMakeLists.txt', 'meson.build'],
    install: 'install clangd (Debian: apt install clangd)',
    settleMs: 0,
  },
  {
    id: 'go',
    name: 'Go (gopls)',
    program: onPath(['gopls']),
    languages: { '.go': 'go' },
    executesProjectCode: true,
    rootMarkers: ['go.work', 'go.mod'],
    install: 'run: go install golang.org/x/tools/gopls@latest',
    needs: { program: 'go', install: 'install Go (https://go.dev/dl)' },
  },
  {
    id: 'rust',
    name: 'Rust (rust-analyzer)',
    program: onPath(['rust-analyzer']),
    languages: { '.rs': 'rust' },
    executesProjectCode: true,
    rootMarkers: ['Cargo.toml', 'rust-project.json'],
    install: 'run: rustup component add rust-analyzer',
    // What the compiler itself says comes when it has run.
    saysMoreLater: true,
    ready: { method: 'experimental/serverStatus', where: { field: 'quiescent', is: true } },
  },
  {
    id: 'java',
    name: 'Java (jdtls)',
    program: onPath(['jdtls']),
    languages: { '.java': 'java' },
    executesProjectCode: true,
    rootMarkers: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', '.project'],
    saysMoreLater: true,
    install: 'install Eclipse JDT Language Server (jdtls) and a JDK of 21 or later',
    ready: { method: 'language/status', where: { field: 'type', is: 'ServiceReady' } },
    jdk: 21,
  },
  {
    id: 'php',
    name: 'PHP (intelephense)',
    program: onPath(['intelephense', '--stdio']),
    languages: { '.php': 'php' },
    executesProjectCode: false,
    rootMarkers: ['composer.json'],
    install: 'run: npm install -g intelephense',
    // It names no versions, and looks a second after each change.
    looksAfterMs: 950,
    settleMs: 50,
    ready: { method: '$/progress', where: { field: 'kind', is: 'end' } },
  },
  {
    id: 'lua',
    name: 'Lua',
    program: onPath(['lua-language-server']),
    languages: { '.lua': 'lua' },
    executesProjectCode: true,
    rootMarkers: ['.luarc.json', '.luarc.jsonc', '.stylua.toml'],
    install: 'install lua-language-server',
  },
  {
    id: 'dart',
    name: 'Dart',
    program: onPath(['dart', 'language-server', '--client-id=belay']),
    languages: { '.dart': 'dart' },
    executesProjectCode: true,
    rootMarkers: ['pubspec.yaml'],
    install: 'install the Dart SDK',
  },
  {
    id: 'swift',
    name: 'Swift (sourcekit-lsp)',
    program: onPath(['sourcekit-lsp']),
    languages: { '.swift': 'swift' },
    executesProjectCode: true,
    rootMarkers: ['Package.swift'],
    install: 'install a Swift toolchain, which brings sourcekit-lsp',
  },
  {
    id: 'kotlin',
    name: 'Kotlin',
    program: onPath(['kotlin-language-server'], ['kotlin-lsp', '--stdio']),
    languages: { '.kt': 'kotlin', '.kts': 'kotlin' },
    executesProjectCode: true,
    rootMarkers: ['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts', 'pom.xml'],
    install: 'install kotlin-language-server',
  },
  {
    id: 'ruby',
    name: 'Ruby (solargraph)',
    program: onPath(['solargraph', 'stdio']),
    languages: { '.rb': 'ruby', '.rake': 'ruby', '.gemspec': 'ruby', '.ru': 'ruby' },
    executesProjectCode: true,
    rootMarkers: ['Gemfile', '.solargraph.yml'],
    install: 'run: gem install solargraph',
  },
  {
    id: 'csharp',
    name: 'C#',
    program: onPath(['roslyn-language-server', '--stdio', '--autoLoadProjects'], ['csharp-ls']),
    languages: { '.cs': 'csharp', '.csx': 'csharp' },
    executesProjectCode: true,
    rootMarkers: ['global.json', 'Directory.Build.props'],
    install: 'run: dotnet tool install --global csharp-ls',
  },
  {
    id: 'eslint',
    name: 'ESLint',
    program: extracted('eslint'),
    languages: scripts,
    executesProjectCode: true,
    rootMarkers: [
      'eslint.config.js',
      'eslint.config.mjs',
      'eslint.config.cjs',
      '.eslintrc.json',
      '.eslintrc.js',
      '.eslintrc.cjs',
      '.eslintrc.yml',
    ],
    extra: true,
    install: 'run npm install eslint in the project',
    // It throws at anything but an object, and asks for all of it at once, under no name.
    settings: {
      '': {
        validate: 'on',
        // With one it runs that program to find ESLint elsewhere: in the folder, and writing in the person's home.
        packageManager: '',
        useESLintClass: true,
        codeAction: { disableRuleComment: { enable: false }, showDocumentation: { enable: false } },
        codeActionOnSave: { mode: 'all' },
        format: false,
        quiet: false,
        onIgnoredFiles: 'off',
        options: {},
        rulesCustomizations: [],
        run: 'onType',
        problems: { shortenToSingleLine: false },
        nodePath: null,
        workingDirectory: { mode: 'location' },
        experimental: { useFlatConfig: false },
      },
    },
  },
]

export const shippedServers: readonly ServerDefinition[] = [...native, ...found]

/** All servers by what the person's settings say, those that are off too: an entry of a known name changes that one, any other adds one. */
export function definitionsWith(settings: Readonly<Record<string, LanguageServerSetting>>): ServerDefinition[] {
  const known = shippedServers.flatMap(each => {
    const said = settings[each.id]
    if (!said) return [each]
    return [{ ...each, ...changesOf(each.languages, said), off: !said.enabled }]
  })
  const added = Object.entries(settings).flatMap(([id, said]): ServerDefinition[] => {
    const { command, extensions, enabled } = said
    if (shippedServers.some(each => each.id === id) || !command || !extensions) return []
    const base = {
      id,
      name: id,
      program: { kind: 'command', command } as const,
      own: true,
      off: !enabled,
      languages: {},
      // Nobody knows what it does, nor whether its first word is its last.
      executesProjectCode: true,
      saysMoreLater: true,
      rootMarkers: [],
      install: `install ${command[0]}, or mend language.servers in your settings`,
    }
    return [{ ...base, ...changesOf({}, said) }]
  })
  return [...known, ...added]
}

/** Whether one of them is for files of such a name. */
export function areCovered(name: string, settings: Readonly<Record<string, LanguageServerSetting>>): boolean {
  const ending = endingOf(name)
  return definitionsWith(settings).some(({ languages }) => ending in languages)
}

function changesOf(
  languages: ServerDefinition['languages'],
  { command, extensions, env, initialization, settings, rootMarkers }: LanguageServerSetting,
): Partial<ServerDefinition> {
  return {
    ...(command ? { program: { kind: 'command' as const, command }, executesProjectCode: true } : {}),
    ...(extensions ? { languages: Object.fromEntries(extensions.map(each => languageOf(each, languages))) } : {}),
    ...(env ? { env } : {}),
    ...(initialization === undefined ? {} : { initialization }),
    ...(settings ? { settings } : {}),
    ...(rootMarkers ? { rootMarkers } : {}),
  }
}

/** The protocol's own name of a language where Belay knows it, else the ending without its dot. */
function languageOf(ending: string, own: ServerDefinition['languages']): [string, string] {
  const key = (ending.startsWith('.') ? ending : `.${ending}`).toLowerCase()
  const known = own[key] ?? shippedServers.find(each => key in each.languages)?.languages[key]
  return [key, known ?? key.slice(1)]
}
