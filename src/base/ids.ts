declare const brand: unique symbol
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** A skill for ever, on every node: 128 random bits, 32 lower-case hex digits. */
export type Uid = Branded<string, 'Uid'>
/** A name in this node's namespace, without its `@`. */
export type Slug = Branded<string, 'Slug'>
/** A tool as the model calls it: `find_file`. */
export type ToolName = Branded<string, 'ToolName'>
/** BLAKE2b-256 of a skill's encoded content, 64 hex digits. */
export type ContentHash = Branded<string, 'ContentHash'>
/** BLAKE2b-256 that names a version, 64 hex digits. */
export type VersionHash = Branded<string, 'VersionHash'>
/** BLAKE2b-256 of a file's bytes, 64 hex digits. */
export type FileHash = Branded<string, 'FileHash'>
/** A person's Ed25519 root public key, 64 hex digits. */
export type IdentityKey = Branded<string, 'IdentityKey'>
/** A device's Ed25519 public key, 64 hex digits. */
export type DeviceKey = Branded<string, 'DeviceKey'>
/** A bundle: 128 random bits, 32 hex digits. */
export type BundleId = Branded<string, 'BundleId'>
