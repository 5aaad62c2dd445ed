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

declare module 'hypercore' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex } from 'node:stream'

  export default class Hypercore extends EventEmitter {
    readonly key: Buffer
    readonly discoveryKey: Buffer
    readonly length: number
    readonly contiguousLength: number
    readonly writable: boolean
    readonly peers: readonly unknown[]
    ready(): Promise<void>
    append(blocks: Uint8Array | readonly Uint8Array[]): Promise<{ length: number }>
    /** A block, or null where `wait` is false and it isn't here. */
    get(index: number, options?: { wait?: boolean; timeout?: number }): Promise<Buffer | null>
    has(start: number, end?: number): Promise<boolean>
    clear(start: number, end: number): Promise<void>
    /** What is kept on this device beside a log. */
    getUserData(name: string): Promise<Uint8Array | null>
    setUserData(name: string, value: Uint8Array): Promise<void>
    update(options?: { wait?: boolean }): Promise<boolean>
    download(range: { start: number; end: number }): { done(): Promise<boolean>; destroy(): void }
    /** Offers this log on a connection. */
    replicate(stream: Duplex): void
    close(): Promise<void>
  }
}

declare module 'corestore' {
  import type { Duplex } from 'node:stream'
  import type Hypercore from 'hypercore'

  export interface WriterEncryption {
    readonly encrypt: unknown
  }
  export interface CoreOptions {
    name?: string
    key?: Uint8Array
    /** A key, or what Autobase encrypts the logs of its writers with. */
    encryption?: { key: Uint8Array } | WriterEncryption
    valueEncoding?: unknown
    /** Blocks that are asked for at once: on a near connection, and at most on a far one. */
    inflightRange?: readonly [number, number]
  }
  export default class Corestore {
    /** `allowBackup` opens it also where it was copied or moved to. */
    constructor(folder: string, options?: { readonly allowBackup?: boolean })
    /** RocksDB in a folder. `flush` brings what was lately written into its tables. */
    readonly storage: { readonly path: string; readonly db: { flush(): Promise<void> } }
    ready(): Promise<void>
    get(options: CoreOptions): Hypercore
    namespace(name: string): Corestore
    /** Tells of every log that is opened from now on, also for a connection. */
    watch(onOpened: (core: { readonly replicator: { allowFork: boolean } }) => void): void
    /** On a stream that is encrypted, or on a new one, as who opens it or not. */
    replicate(stream: Duplex | boolean): Duplex
    close(): Promise<void>
  }
}

declare module 'autobase' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex } from 'node:stream'
  import type Corestore from 'corestore'
  import type { WriterEncryption } from 'corestore'
  import type Hypercore from 'hypercore'

  export interface ApplyNode {
    readonly from: Hypercore
    readonly length: number
    readonly value: Buffer | null
  }
  export interface ApplyHost {
    addWriter(key: Uint8Array, options: { indexer: boolean }): Promise<void>
    interrupt(reason: string): void
  }
  export interface AutobaseHandlers<View> {
    open(store: { get(name: string): Hypercore }): View
    apply(nodes: readonly ApplyNode[], view: View, host: ApplyHost): Promise<void>
    close?(view: View): Promise<void>
    valueEncoding: 'binary'
    encrypt?: boolean
    encryptionKey?: Uint8Array
    /** Whether views that the indexers have signed are taken over unseen. */
    fastForward?: boolean
    /** What is kept of the encryption key in the logs, and the key that it stands for. */
    blindEncryption?: {
      encrypt(key: Uint8Array): Promise<{ type: number; value: Uint8Array }>
      decrypt(kept: { type: number; value: Uint8Array }): Promise<{ value: Uint8Array }>
    }
  }
  export default class Autobase<View> extends EventEmitter {
    constructor(store: Corestore, key: Uint8Array | null, handlers: AutobaseHandlers<View>)
    readonly key: Buffer
    readonly encryptionKey: Buffer
    readonly discoveryKey: Buffer
    readonly local: Hypercore
    readonly view: View
    readonly writable: boolean
    readonly interrupted: string | null
    ready(): Promise<void>
    update(): Promise<void>
    append(value: Uint8Array | readonly Uint8Array[]): Promise<void>
    /** Appends to another log from now on, which is in its store. */
    setLocal(key: Uint8Array): Promise<void>
    /** Tells the other end of a stream of new entries, and hears of its. */
    readonly wakeupProtocol: { addStream(stream: Duplex): void }
    getWriterEncryption(): BaseEncryption
    static decodeValue(block: Uint8Array): Promise<Buffer | null>
    close(): Promise<void>
    /** The logs that are being read. */
    readonly activeWriters: { get(key: Uint8Array): Writer | null }
    /** The view of who appends: null for a log that no entry has let in. */
    readonly system: { get(key: Uint8Array): Promise<unknown> }
    _makeWriter(key: Buffer, length: number, isActive: boolean, isRemoved: boolean): Writer
    _makeWriterCore(key: Uint8Array): Hypercore
    _wakeupWriter(key: Uint8Array, length: number): Promise<void>
  }

  export interface BaseEncryption extends WriterEncryption {
    /** The key of an id; 0 is the one that a base begins with. */
    get(id: number, log: unknown): Promise<unknown>
    /** Decrypts a block in place. */
    decrypt(index: number, block: Uint8Array, log: unknown): Promise<void>
  }

  /** A place in the log of some device: so many blocks of it. */
  export interface Head {
    readonly key: Uint8Array
    readonly length: number
  }
  /** A block of a log as it is placed among those of the others. */
  export interface DagNode {
    readonly length: number
    /** How many blocks of its batch are to come, itself counted. */
    readonly batch: number
    readonly heads: readonly Head[]
    /** The heads as they were, while those above are used up. */
    readonly actualHeads: Head[]
  }
  /** Who reads the log of a device. */
  export interface Writer {
    readonly core: Hypercore
    readonly nodes: { get(index: number): DagNode | null }
    /** The block that is to come next. */
    readonly node: DagNode | null
    /** Whether it reads no further. */
    frozen: boolean
    update(boot: unknown): Promise<boolean>
    _loadNextNode(): Promise<boolean>
    _ensureNodeDependencies(boot: unknown): Promise<boolean>
  }
}

declare module 'autobase/lib/messages.js' {
  import type { Head } from 'autobase'

  /** A block of a device's log. */
  export interface OplogMessage {
    readonly version: number
    readonly node: { readonly heads: readonly Head[]; readonly batch: number; readonly value: Buffer | null }
    readonly checkpoint: unknown
    readonly digest: unknown
    readonly optimistic: boolean
    readonly trace: unknown
  }
  const messages: {
    readonly OplogMessage: {
      preencode(state: unknown, message: OplogMessage): void
      encode(state: unknown, message: OplogMessage): void
      decode(state: unknown): OplogMessage
    }
  }
  export default messages
}

declare module 'hyperbee' {
  import type Hypercore from 'hypercore'

  export interface Entry {
    readonly seq: number
    readonly key: string
    readonly value: Buffer
  }
  export interface Range {
    gt?: string
    gte?: string
    lt?: string
    lte?: string
    limit?: number
  }
  export interface HistoryEntry extends Entry {
    readonly type: 'put' | 'del'
  }
  export interface Batch {
    get(key: string): Promise<Entry | null>
    put(key: string, value: Uint8Array): Promise<void>
    del(key: string): Promise<void>
    createReadStream(range: Range): AsyncIterable<Entry>
    flush(): Promise<void>
    close(): Promise<void>
  }
  export default class Hyperbee {
    constructor(core: Hypercore, options: { extension: false; keyEncoding: 'utf-8'; valueEncoding: 'binary' })
    readonly core: Hypercore
    readonly version: number
    ready(): Promise<void>
    get(key: string): Promise<Entry | null>
    createReadStream(range: Range): AsyncIterable<Entry>
    createHistoryStream(options: { gte: number }): AsyncIterable<HistoryEntry>
    batch(options?: { update: false }): Batch
    close(): Promise<void>
  }
}

declare module 'hyperblobs' {
  import type Hypercore from 'hypercore'

  export interface BlobId {
    readonly blockOffset: number
    readonly blockLength: number
    readonly byteOffset: number
    readonly byteLength: number
  }
  export default class Hyperblobs {
    constructor(core: Hypercore)
    readonly core: Hypercore
    ready(): Promise<void>
    put(bytes: Uint8Array): Promise<BlobId>
    get(id: BlobId, options?: { wait?: boolean; timeout?: number }): Promise<Buffer | null>
  }
}

declare module 'hyperdht' {
  import type { EventEmitter } from 'node:events'

  export interface KeyPair {
    publicKey: Uint8Array
    secretKey: Uint8Array
  }
  export default class DHT extends EventEmitter {
    constructor(options: {
      bootstrap?: readonly (string | { host: string; port: number })[]
      host?: string
      firewalled?: boolean
    })
    static keyPair(seed?: Uint8Array): KeyPair
    fullyBootstrapped(): Promise<void>
    destroy(options?: { force?: boolean }): Promise<void>
  }
}

declare module 'hyperdht/testnet.js' {
  export default function createTestnet(
    size: number,
    options?: { host?: string; port?: number }
  ): Promise<{ bootstrap: { host: string; port: number }[]; destroy(): Promise<void> }>
}

declare module 'hyperswarm' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex } from 'node:stream'
  import type DHT from 'hyperdht'
  import type { KeyPair } from 'hyperdht'

  export interface Connection extends Duplex {
    readonly remotePublicKey: Buffer
    readonly publicKey: Buffer
    setKeepAlive(milliseconds: number): void
  }
  export interface PeerInfo {
    readonly publicKey: Buffer
    ban(banned: boolean): void
  }
  export interface Discovery {
    flushed(): Promise<void>
    refresh(): Promise<void>
    destroy(): Promise<void>
  }
  export default class Hyperswarm extends EventEmitter {
    constructor(options: {
      dht: DHT
      keyPair?: KeyPair
      firewall?: (publicKey: Buffer) => boolean
      maxPeers?: number
      maxServerConnections?: number
    })
    readonly dht: DHT
    readonly connections: ReadonlySet<Connection>
    readonly peers: Map<string, PeerInfo>
    readonly server: { address(): { host: string; port: number } | null }
    listen(): Promise<void>
    join(topic: Uint8Array, options?: { server: boolean; client: boolean }): Discovery
    joinPeer(publicKey: Uint8Array): void
    leavePeer(publicKey: Uint8Array): void
    destroy(options?: { force?: boolean }): Promise<void>
  }
}

declare module 'blind-pairing' {
  import type { EventEmitter } from 'node:events'
  import type Hyperswarm from 'hyperswarm'

  interface Signed {
    readonly data: Buffer
    readonly signature: Buffer
  }
  export interface MemberRequest {
    /** What the candidate brought; throws where it doesn't hold the invite. */
    open(publicKey: Uint8Array): Buffer
    confirm(answer: { key: Uint8Array; additional?: Signed }): void
    /** Throws before `open`. Status 1 rejected, 2 used, 3 expired. */
    deny(reason: { status: number }): void
  }
  export interface CreatedInvite {
    readonly invite: Buffer
    readonly publicKey: Buffer
    readonly discoveryKey: Buffer
    readonly additional: Signed | null
  }
  export default class BlindPairing {
    constructor(swarm: Hyperswarm)
    static createInvite(key: Uint8Array, options: { data: Uint8Array; expires: number }): CreatedInvite
    static decodeInvite(invite: Uint8Array): { expires: number }
    addMember(options: { discoveryKey: Uint8Array; onadd(request: MemberRequest): Promise<void> }): {
      flushed(): Promise<void>
    }
    addCandidate(options: {
      invite: Uint8Array
      userData: Uint8Array
      onadd(paired: { data: Buffer | null }): Promise<void>
    }): {
      /** Emits `rejected` with an error whose code says why. */
      readonly request: EventEmitter
    }
    ready(): Promise<void>
    close(): Promise<void>
  }
}

declare module 'protomux' {
  import type { Duplex } from 'node:stream'

  export interface Message<T> {
    send(value: T): boolean
  }
  export interface Channel {
    open(handshake?: Uint8Array): void
    close(): void
    readonly messages: readonly Message<unknown>[]
    addMessage<T>(options: { encoding: unknown; onmessage(message: T): void | Promise<void> }): Message<T>
  }
  export default class Protomux {
    static from(stream: Duplex): Protomux
    createChannel(options: {
      protocol: string
      id?: Uint8Array
      onopen?(): void | Promise<void>
      onclose?(): void
    }): Channel | null
    pair(options: { protocol: string; id?: Uint8Array }, notify: () => void): void
  }
}

declare module 'compact-encoding' {
  const encodings: { buffer: unknown; raw: unknown; encode(encoding: unknown, value: unknown): Buffer }
  export default encodings
}
