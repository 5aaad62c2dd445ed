import type { Uid } from '../../src/base/ids.js'
import type { Manifest } from '../../src/bundle/manifest.js'
import { attest, type Attestation } from '../../src/keys/identity.js'
import { utf8 } from '../../src/keys/sodium.js'
import { encodeContent } from '../../src/namespace/content.js'
import { versionHash, type Version } from '../../src/namespace/version.js'
import { ana, cleo, contentOf, signedBy, skill, uidOf, type Draft } from '../bundle/sample.js'
import { forged, type Forgery } from './forge.js'
import { insider, type Vector } from './vector.js'
import { eachSkill, greet, noted, pair, type Change } from './honest.js'

/** Faults of links, names and lineages. */
export function linkVectors(): Vector[] {
  const other = uidOf('elsewhere')
  const bag = uidOf('pack-bag')
  const change = (
    name: string,
    code: Vector['code'] & string,
    about: string,
    manifest: Forgery['manifest'],
    drafts = pair
  ): Vector => insider(name, code, about, forged(drafts, manifest && { manifest }))
  const alias = (name: string, about: string, ...aliases: { from: Uid; to: Uid }[]): Vector =>
    change(name, 'E_BUNDLE_ALIAS', about, (manifest) => ({ ...manifest, aliases }))
  const attestation = (name: string, about: string, wrong: Partial<Attestation>): Vector =>
    change(name, 'E_BUNDLE_ATTESTATIONS', about, (manifest) => ({
      ...manifest,
      attestations: manifest.attestations.map((each) => ({ ...each, ...wrong }))
    }))
  const slug = (name: string, about: string, wanted: string): Vector =>
    change(
      name,
      'E_BUNDLE_SLUG',
      about,
      ofSkill('pack-bag', () => ({ slug: wanted }))
    )
  return [
    change('uid-doubled', 'E_BUNDLE_UID', 'Two skills of one uid.', undefined, [
      { ...greet, body: [skill('greet')] },
      { ...greet, slug: 'greet-2', uid: uidOf('greet') }
    ]),
    slug('slug-form', 'A slug with a capital.', 'Pack-bag'),
    slug('slug-long', 'A slug of 65 characters.', 'x'.repeat(65)),
    slug('slug-tool', 'The slug of a tool.', 'find-file'),
    slug('slug-doubled', 'The slug of the other skill.', 'plan-trip'),
    alias('alias-of-skill', 'An alias that is a skill of this bundle.', {
      from: bag,
      to: uidOf('plan-trip')
    }),
    alias('alias-to-nowhere', 'An alias for a skill that isn’t here.', { from: other, to: uidOf('nowhere') }),
    alias('alias-idle', 'An alias that nothing uses.', { from: other, to: bag }),
    insider(
      'alias-doubled',
      'E_BUNDLE_ALIAS',
      'One alias for two skills.',
      forged([{ slug: 'plan-trip', body: [{ skill: other }, ' ', skill('pack-bag')] }, pair[1]!], {
        aliases: [
          { from: other, to: bag },
          { from: other, to: uidOf('plan-trip') }
        ]
      })
    ),
    change('root-missing', 'E_BUNDLE_ROOT', 'The root is no skill of this bundle.', (manifest) => ({
      ...manifest,
      root: other
    })),
    change('dangles', 'E_BUNDLE_DANGLES', 'A mention of a skill that isn’t here.', undefined, [pair[0]!]),
    change('unreached', 'E_BUNDLE_UNREACHED', 'A skill that nothing mentions.', undefined, [...pair, greet]),
    change('tool-missing', 'E_BUNDLE_TOOLS', 'A mentioned tool isn’t listed.', (manifest) => ({
      ...manifest,
      tools: []
    })),
    change('tool-extra', 'E_BUNDLE_TOOLS', 'A tool that nothing mentions is listed.', (manifest) => ({
      ...manifest,
      tools: ['find_file', 'grep_memory']
    })),
    change('tool-doubled', 'E_BUNDLE_TOOLS', 'A tool is listed twice.', (manifest) => ({
      ...manifest,
      tools: ['find_file', 'find_file']
    })),
    insider(
      'file-extra',
      'E_BUNDLE_FILES',
      'A file that no skill lists.',
      forged([noted, pair[1]!].slice(0, 1), extraFile())
    ),
    insider(
      'file-missing',
      'E_BUNDLE_FILES',
      'A file that a skill lists isn’t there.',
      forged([noted], {
        manifest: (manifest) => ({ ...manifest, files: manifest.files.slice(1) }),
        bodies: (bodies) => bodies.slice(1)
      })
    ),
    insider(
      'file-doubled',
      'E_BUNDLE_FILES',
      'A file is there twice.',
      forged([noted], {
        manifest: (manifest) => ({ ...manifest, files: [manifest.files[0]!, ...manifest.files] }),
        bodies: (bodies) => [bodies[0]!, ...bodies]
      })
    ),
    insider(
      'file-size',
      'E_BUNDLE_FILES',
      'A skill gives a file another size than it has.',
      forged([wrongSize()])
    ),
    change(
      'lineage-foreign',
      'E_BUNDLE_LINEAGE',
      'A version of another skill.',
      rehead((version) => signedBy(ana, { ...version, uid: other }))
    ),
    change(
      'lineage-unconnected',
      'E_BUNDLE_LINEAGE',
      'A version that isn’t an ancestor of the head.',
      ofSkill('pack-bag', ({ versions }) => ({
        versions: [...versions, signedBy(ana, { ...versions[0]!, time: 1 })]
      }))
    ),
    change(
      'lineage-doubled',
      'E_BUNDLE_LINEAGE',
      'A version twice.',
      ofSkill('pack-bag', ({ versions }) => ({ versions: [...versions, ...versions] }))
    ),
    change('head-missing', 'E_BUNDLE_HEAD', 'No version at all.', (manifest) => ({
      ...eachSkill(() => ({ versions: [] }))(manifest),
      attestations: []
    })),
    change(
      'head-content',
      'E_BUNDLE_HEAD',
      'The head is a version with another content.',
      rehead((version) => signedBy(ana, { ...version, content: 'a'.repeat(64) as Version['content'] }))
    ),
    change(
      'author-unattested',
      'E_BUNDLE_AUTHOR',
      'A version says that Cleo wrote it, by a device of Ana’s.',
      rehead((version) => ({ ...version, author: cleo.identity }))
    ),
    change('author-missing', 'E_BUNDLE_AUTHOR', 'No attestation for a version’s device.', (manifest) => ({
      ...manifest,
      attestations: []
    })),
    change(
      'version-signature',
      'E_BUNDLE_VERSION_SIGNATURE',
      'A version’s time is changed after signing.',
      rehead((version) => ({ ...version, time: version.time + 1 }))
    ),
    change(
      'attestation-extra',
      'E_BUNDLE_ATTESTATIONS',
      'An attestation that no version needs.',
      (manifest) => ({ ...manifest, attestations: [...manifest.attestations, cleo.attestations[0]!] })
    ),
    change('attestation-doubled', 'E_BUNDLE_ATTESTATIONS', 'An attestation twice.', (manifest) => ({
      ...manifest,
      attestations: [...manifest.attestations, ...manifest.attestations]
    })),
    attestation('certificate-wrong', 'An attestation with another attestor’s certificate.', {
      certificate: cleo.attestor.certificate
    }),
    attestation(
      'attestor-wrong',
      'An attestation by an attestor whom its identity hasn’t certified.',
      attest({ ...cleo.attestor, identity: ana.identity }, ana.devices[0]!)
    ),
    attestation('attestation-wrong', 'An attestation whose signature is another’s.', {
      signature: cleo.attestations[0]!.signature
    }),
    attestation('consent-wrong', 'An attestation with another device’s consent.', {
      consent: cleo.attestations[0]!.consent
    })
  ]
}

function ofSkill(slug: string, change: Change): (manifest: Manifest) => Manifest {
  return eachSkill((each) => (each.slug === slug ? change(each) : {}))
}

/** Puts another version in the head’s place, and its hash for the head. */
function rehead(change: (head: Version) => Version): (manifest: Manifest) => Manifest {
  return ofSkill('pack-bag', ({ versions }) => {
    const head = change(versions[0]!)
    return { head: versionHash(head), versions: [head] }
  })
}

function wrongSize(): Draft {
  const content = contentOf(noted)
  const files = content.files.map((file) => ({ ...file, size: file.size + 1 }))
  return { ...noted, encoded: encodeContent({ ...content, files }) }
}

function extraFile(): Forgery {
  const extra = contentOf({ ...greet, files: [{ path: 'c', bytes: utf8('extra') }] }).files[0]!
  const { hash, size } = extra
  return {
    manifest: (manifest) => ({ ...manifest, files: [...manifest.files, { hash, size }] }),
    bodies: (bodies) => [...bodies, utf8('extra')]
  }
}
