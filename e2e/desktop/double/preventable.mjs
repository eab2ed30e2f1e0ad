/** An event whose default a listener may prevent; `prevented` tells afterwards. */
export function preventable(facts = {}) {
  const event = {
    ...facts,
    prevented: false,
    preventDefault() {
      event.prevented = true
    },
  }
  return event
}
