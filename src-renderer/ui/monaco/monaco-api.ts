/** Monaco's shape, for code that must not bring in Monaco itself. */
export type Monaco = typeof import('monaco-editor/editor')
