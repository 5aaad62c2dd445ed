/** Time and chance, handed in so that a test may choose them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** `length` unpredictable bytes. */
  random(length: number): Uint8Array
}
