/** Monaco ships these two without types. */
declare module 'monaco-editor/languages/definitions/javascript/javascript' {
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage
}
declare module 'monaco-editor/languages/definitions/typescript/typescript' {
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage
}
