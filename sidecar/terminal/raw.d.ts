/** Shell scripts come as text (`?raw`): what is shipped is what is in the bundle. */
declare module '*.sh?raw' {
  const text: string
  export default text
}
declare module '*.zsh?raw' {
  const text: string
  export default text
}
declare module '*.fish?raw' {
  const text: string
  export default text
}
