/** Calls back when a server or a transport of the SDK has closed, after whoever is told already. */
export function afterClose(closing: { onclose?: (() => void) | undefined }, then: () => void): void {
  const { onclose } = closing
  Object.assign(closing, {
    onclose: () => {
      onclose?.()
      then()
    }
  })
}
