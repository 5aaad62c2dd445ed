/*
 * The parts that Selkie uses of packages that come without types, in one place.
 */
declare module 'sodium-native' {
  const sodium: {
    crypto_aead_xchacha20poly1305_ietf_KEYBYTES: number
    crypto_pwhash_ALG_ARGON2ID13: number
    crypto_pwhash_async(
      out: Buffer,
      password: Buffer,
      salt: Buffer,
      opslimit: number,
      memlimit: number,
      alg: number
    ): Promise<void>
  }
  export default sodium
}
