import { encode } from '../../src/base/msgpack.js'
import { utf8 } from '../../src/keys/sodium.js'
import { encodeContent } from '../../src/namespace/content.js'
import { contentOf } from '../bundle/sample.js'
import { forged } from './forge.js'
import { insider, type Vector } from './vector.js'
import { flippedLast, greet, noted } from './honest.js'

/** Faults of contents, paths and files. */
export function contentVectors(): Vector[] {
  const content = (name: string, about: string, change: object): Vector =>
    insider(
      name,
      'E_CONTENT',
      about,
      forged([{ ...greet, encoded: encode({ ...contentOf(greet), ...change }) }])
    )
  const path = (name: string, about: string, ...paths: string[]): Vector =>
    insider(
      name,
      'E_PATH',
      about,
      forged([{ ...greet, files: paths.map((each) => ({ path: each, bytes: utf8(each) })) }])
    )
  const collision = (name: string, about: string, ...paths: string[]): Vector => ({
    ...path(name, about, ...paths),
    code: 'E_PATH_COLLISION'
  })
  return [
    insider(
      'content-hash',
      'E_BUNDLE_CONTENT',
      'Another content than the manifest names.',
      forged([greet], { contents: ([only]) => [flippedLast(only!)] })
    ),
    insider(
      'content-trailing',
      'E_ENCODING',
      'A byte behind a content’s end.',
      forged([{ ...greet, encoded: Buffer.concat([encodeContent(contentOf(greet)), Uint8Array.of(0xc0)]) }])
    ),
    content('content-live-mention', 'A text in a body that reads as a mention.', {
      body: ['Use @find-file.']
    }),
    content('content-split-mention', 'Two texts side by side that read as a mention.', {
      body: ['Use @find', '-file.']
    }),
    content('content-unknown-tool', 'A reference to a tool that there is not.', {
      body: ['Use ', { t: 'format_disk' }, '.']
    }),
    content('content-ref-in-code', 'A reference where the text is code.', {
      body: ['`run ', { t: 'find_file' }, '`']
    }),
    content('content-extra', 'A property that a content doesn’t have.', { advertised: true }),
    content('content-no-title', 'An empty title.', { title: '' }),
    content('content-header-closes', 'A header with a line that ends it: what follows would be a body.', {
      header: 'name: greet\ndescription: Hello.\n---\nAnother body.\n'
    }),
    content('content-header-fence', 'A header with a line that some readers take for its end.', {
      header: 'name: greet\n---- \ndescription: Hello.\n'
    }),
    content('content-header-open', 'A header whose last line doesn’t end.', { header: 'name: greet' }),
    content('content-file-order', 'Files out of the order of their paths.', {
      files: [listed('b'), listed('a')]
    }),
    content('content-file-doubled', 'A path twice.', { files: [listed('a'), listed('a')] }),
    path('path-parent', 'Leads out of the folder.', '../a'),
    path('path-parent-inside', 'Leads up within the folder.', 'a/../b'),
    path('path-dot', 'A segment that is a dot.', './a'),
    path('path-empty-segment', 'An empty segment.', 'a//b'),
    path('path-absolute', 'Absolute.', '/etc/passwd'),
    path('path-backslash', 'A backslash.', 'a\\b'),
    path('path-drive', 'A Windows drive.', 'C:/a'),
    path('path-stream', 'A Windows stream.', 'a.txt:b'),
    path('path-nul', 'A NUL.', 'a\0b'),
    path('path-newline', 'A newline.', 'a\nb'),
    path('path-invisible', 'A zero-width space.', 'a\u200bb'),
    path('path-direction', 'A right-to-left override.', 'a\u202etxt.exe'),
    path('path-decomposed', 'Not in NFC.', 'u\u0308ber'),
    path('path-device', 'A Windows device with an extension.', 'aux.c'),
    path('path-trailing-dot', 'Ends in a dot.', 'a.'),
    path('path-trailing-space', 'A folder that ends in a space.', 'a /b'),
    path('path-short-name', 'A Windows short name.', 'progra~1/a'),
    path('path-git', 'Within .git.', '.git/hooks/post-checkout'),
    path('path-git-case', 'Within .GIT.', '.GIT/config'),
    path('path-env', 'A file of secrets.', '.env'),
    path('path-agent-settings', 'An agent’s settings.', '.claude/settings.json'),
    path('path-deep', 'Seventeen levels.', `${'a/'.repeat(16)}a`),
    path('path-bytes', '241 bytes in fewer characters.', 'ü'.repeat(120) + 'a'),
    collision('path-case', 'Two paths that differ in case alone.', 'README.md', 'readme.md'),
    collision('path-sharp-s', 'Two paths that one folding makes equal.', 'STRASSE', 'straße'),
    collision('path-file-and-folder', 'A file where another needs a folder.', 'a', 'a/b'),
    insider(
      'file-changed',
      'E_BUNDLE_FILE',
      'A file with other bytes than its hash says.',
      forged([noted], { bodies: ([a, b]) => [flippedLast(a!), b!] })
    ),
    insider(
      'files-swapped',
      'E_BUNDLE_FILE',
      'Two files of one size in each other’s place.',
      forged([noted], { bodies: ([a, b]) => [b!, a!] })
    )
  ]
}

function listed(path: string): object {
  return { path, hash: '0'.repeat(64), size: 0, exec: false }
}
