/** Sizes in bytes and counts. At a limit it works; one above it is refused by name. */

const KiB = 1024
const MiB = 1024 * KiB

/** A whole sealed bundle. */
export const MAX_BUNDLE = 16 * MiB
/** Fewer bytes can't be a bundle: one stanza and the statement take more. */
export const MIN_BUNDLE = 1 * KiB
/** A bundle's manifest, and the encoded content of one skill beside its body. */
export const MAX_MANIFEST = 4 * MiB
/** One file of a skill. */
export const MAX_FILE = 8 * MiB
/** A body as it is shown, in UTF-8. */
export const MAX_BODY = 1 * MiB
/** Files in a bundle, all skills together; so also in one skill. */
export const MAX_FILES = 2000
/** Skills in a bundle. */
export const MAX_SKILLS = 256
/** Aliases in a bundle: uids that stand for a skill of it. */
export const MAX_ALIASES = 1024
/** A file's path in UTF-8, and its depth in segments. */
export const MAX_PATH = 240
export const MAX_PATH_DEPTH = 16
/** Characters (Unicode code points) of a slug, a title, a summary, a sender’s note. */
export const MAX_SLUG = 64
export const MAX_TITLE = 200
export const MAX_SUMMARY = 4096
export const MAX_NOTE = 2000
/** The original frontmatter that a skill keeps, in characters. */
export const MAX_HEADER = 64 * KiB
/** Files of all the folders that one import brings in. */
export const MAX_IMPORT = 256 * MiB
/** Versions of one skill that a bundle carries, newest first. */
export const MAX_LINEAGE = 256
/** Versions to which a sender cuts the lineages of a bundle, all skills together. */
export const MAX_VERSIONS = 4096
/** Parents of one version. */
export const MAX_PARENTS = 16
/** Devices of one identity that a bundle is sealed to. */
export const MAX_DEVICES = 16
/** Devices that one identity has removed in one life of its card. */
export const MAX_REMOVED = 128
/** Quarantined sealed bytes of one contact, and of all together. */
export const INBOX_PER_CONTACT = 128 * MiB
export const INBOX_IN_ALL = 512 * MiB
