/* The parts of autopass that the bench uses; it comes without types. */
declare module 'autopass' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex } from 'node:stream'
  import type Corestore from 'corestore'

  export default class Autopass extends EventEmitter {
    constructor(store: Corestore, options: { replicate: false; key?: Uint8Array; encryptionKey?: Uint8Array })
    readonly store: Corestore
    readonly key: Buffer
    readonly encryptionKey: Buffer
    readonly writerKey: Buffer
    readonly writable: boolean
    readonly base: {
      readonly linearizer: { readonly indexers: readonly unknown[] }
      replicate(isInitiator: boolean): Duplex
    }
    ready(): Promise<void>
    addWriter(key: Uint8Array): Promise<boolean>
    add(key: string, value: string): Promise<void>
    get(key: string): Promise<{ readonly value: string } | null>
    close(): Promise<void>
  }
}
