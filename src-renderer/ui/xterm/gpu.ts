/** Whether WebGL runs on a graphics card: on a software renderer it is ten times slower than the DOM. */

let known: boolean | undefined

/** Asked once; a window does not change its card. */
export function hasRealGpu(): boolean {
  known ??= look()
  return known
}

function look(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2')
    const names = context?.getExtension('WEBGL_debug_renderer_info')
    if (!context || !names) return false
    const renderer = String(context.getParameter(names.UNMASKED_RENDERER_WEBGL))
    context.getExtension('WEBGL_lose_context')?.loseContext()
    return renderer !== '' && !/swiftshader|llvmpipe|softpipe|software|basic render|virgl/i.test(renderer)
  } catch {
    return false
  }
}
