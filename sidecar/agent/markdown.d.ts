/** A Markdown file as text, put into the bundle at build time. */
declare module '*.md?raw' {
  const text: string
  export default text
}
