/** Rules about what the shell does with what it is given: links, files, protocols, certificates, code. */
import ts from 'typescript'
import { called, calls, element, imports, listens, property, type Rule, says } from './rule.ts'

const argument = (node: ts.Node, at = 0) => called(node)?.args[at]
const isCallOf = (value: ts.Expression | undefined, name: string) => value !== undefined && called(value)?.name === name

export const callRules: readonly Rule[] = [
  {
    id: 'OPEN_EXTERNAL',
    why: 'only what checkedExternal() has parsed is handed to the system',
    shell: node => calls('openExternal')(node) && !isCallOf(argument(node), 'checkedExternal'),
  },
  { id: 'OPEN_PATH', why: 'a file opened by the system may be a program', shell: calls('openPath') },
  {
    id: 'SHOW_ITEM_IN_FOLDER',
    why: 'a path that a page names reaches the file manager',
    shell: calls('showItemInFolder'),
  },
  { id: 'WRITE_SHORTCUT', why: 'a link on the desktop starts what it names', shell: calls('writeShortcutLink') },
  {
    id: 'REMOTE_CONTENT',
    why: 'a window shows our page and no other',
    shell: node =>
      calls('loadFile')(node) ||
      (calls('loadURL')(node) && !/^`\$\{APP_ORIGIN\}\//.test(argument(node)?.getText() ?? '')),
  },
  { id: 'HTTP_RESOURCES', why: 'the network could change it on its way', shell: says(/^http:\/\//) },
  {
    id: 'DANGEROUS_FUNCTIONS',
    why: 'text becomes code',
    anywhere: node =>
      calls('eval', 'executeJavaScript', 'executeJavaScriptInIsolatedWorld')(node) ||
      (called(node)?.name === 'Function' && called(node)?.on === '') ||
      (calls('setTimeout', 'setInterval')(node) && ts.isStringLiteralLike(argument(node) ?? node)),
  },
  {
    id: 'INNER_HTML',
    why: 'text becomes markup',
    anywhere: node =>
      (ts.isJsxAttribute(node) && node.name.getText() === 'dangerouslySetInnerHTML') ||
      property(node)?.name === 'dangerouslySetInnerHTML' ||
      calls('insertAdjacentHTML', 'createContextualFragment', 'setHTMLUnsafe')(node) ||
      (called(node)?.name === 'write' && called(node)?.on === 'document') ||
      (ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        /\.(inner|outer)HTML$|\.srcdoc$/.test(node.left.getText())),
  },
  {
    id: 'EMBEDDED_PAGE',
    why: 'a foreign page within ours; it would need an origin of its own first',
    anywhere: element('webview', 'iframe', 'frame', 'object', 'embed', 'portal', 'fencedframe'),
  },
  {
    id: 'SERVICE_WORKER',
    why: 'a worker could answer for the page after it has gone',
    anywhere: says(/^serviceWorker$/),
  },
  { id: 'CERTIFICATE_ERROR_EVENT', why: 'a certificate that is not trusted', shell: listens('certificate-error') },
  {
    id: 'CERTIFICATE_VERIFY_PROC',
    why: 'the system’s judgement of certificates is replaced',
    shell: calls('setCertificateVerifyProc'),
  },
  {
    id: 'TLS_UNAUTHORIZED',
    why: 'any server could be any other',
    shell: node =>
      says(/^NODE_TLS_REJECT_UNAUTHORIZED$/)(node) ||
      (property(node)?.name === 'rejectUnauthorized' && property(node)?.value.kind !== ts.SyntaxKind.TrueKeyword),
  },
  { id: 'LOGIN_EVENT', why: 'a password is given to whoever asks', shell: listens('login') },
  {
    id: 'CUSTOM_ARGUMENTS',
    why: 'switches change what Chromium guards',
    shell: calls('appendSwitch', 'appendArgument'),
  },
  {
    id: 'SECURITY_WARNINGS_DISABLED',
    why: 'Electron’s own warnings would be silent',
    anywhere: says(/ELECTRON_(DISABLE|ENABLE)_SECURITY_WARNINGS/),
  },
  {
    id: 'REMOTE_MODULE',
    why: 'the page could call main',
    anywhere: imports('@electron/remote', '@electron/remote/main', 'electron/remote'),
  },
  {
    id: 'PROTOCOL_HANDLER',
    why: 'a scheme answers with bytes of our choice, or brings strangers’ words to us',
    shell: node =>
      (called(node)?.name === 'handle' && called(node)?.on.endsWith('protocol') === true) ||
      calls('setAsDefaultProtocolClient')(node) ||
      /^(register|intercept)(File|String|Buffer|Http|Stream)Protocol$/.test(called(node)?.name ?? ''),
  },
  {
    id: 'IPC_CHANNEL',
    why: 'each channel that pages can reach checks who asks',
    shell: node =>
      /^(ipcMain|.*\.ipc)$/.test(called(node)?.on ?? '') &&
      /^(on|once|handle|handleOnce|addListener)$/.test(called(node)?.name ?? ''),
  },
  {
    id: 'BRIDGE',
    why: 'Electron’s own objects never cross to the page',
    shell: node =>
      calls('exposeInIsolatedWorld', 'executeInMainWorld')(node) ||
      (calls('exposeInMainWorld')(node) &&
        /[:,{]\s*(\.\.\.)?(ipcRenderer|webFrame|webUtils|process|require)\s*[,}]/.test(node.getText())),
  },
  { id: 'EXTENSION', why: 'foreign code within our pages', shell: calls('loadExtension') },
  { id: 'CRASH_REPORTER', why: 'memory, and what is in it, would leave this machine', shell: says(/^crashReporter$/) },
  { id: 'DEBUGGER', why: 'whoever debugs the page is the page', shell: calls('openDevTools', 'toggleDevTools') },
  { id: 'DEVICE', why: 'a page is given a device', shell: calls('setUSBProtectedClassesHandler') },
]
