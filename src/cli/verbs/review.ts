import type { Review, ReviewedFile, ReviewedSkill, ReviewStatus, ReviewWarning } from '../../api.js'
import { usage } from '../args.js'
import { shellWord } from '../contact.js'
import { paint, paintDiff } from '../paint.js'
import { aligned, counted, oneLine, quoted, sized, timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show what a received bundle would bring, before anything of it is used',
  positionals: ['ID'],
  flags: {
    file: { type: 'string', value: 'incoming/path', about: 'Show one file of it instead' }
  },
  run: ({ args: [id], flags: { file }, use }): Promise<Review | ReviewedFile> => {
    if (file === undefined) return use((node) => node.review(id))
    const slash = file.indexOf('/')
    if (slash < 1) throw usage(`“${file}” is not incoming/path`, 'review')
    return use((node) => node.reviewFile(id, file.slice(0, slash), file.slice(slash + 1)))
  },
  text: (shown) => ('text' in shown ? renderFile(shown) : renderReview(shown))
})

export function renderFile({ incoming, path, size, hash, exec, text }: ReviewedFile): string {
  const head = `${paint('bold', oneLine(path))} of ${incoming}, ${sized(size)}${exec ? ', executable' : ''}`
  return `${head}\n${paint('dim', hash)}\n${text === null ? '  It isn’t text.' : quoted(text)}`
}

/** What each status means for what is here. */
const MEANING: Readonly<Record<ReviewStatus, string>> = {
  new: 'not here yet',
  're-slugged': 'not here yet, and its name is taken',
  same: 'already here, the same',
  update: 'newer than yours, which came from others',
  diverged: 'edited on both sides',
  'yours-edited-by-them': 'yours, edited by them'
}

/**
 * A review as text: who, what, each skill, what it is able to do, what was found, and
 * the command that accepts exactly this. What the sender wrote is set in, so that it
 * can’t pass for what we say.
 */
export function renderReview(review: Review): string {
  const { skills, warnings, blocked } = review
  return [
    renderSender(review),
    ...(review.note === '' ? [] : [section('Note', quoted(review.note))]),
    section('Skills', renderNames(skills)),
    ...skills.map(renderSkill),
    section('Tools', renderTools(review)),
    ...(warnings.length > 0 ? [section(counted(warnings.length, 'warning'), renderWarnings(warnings))] : []),
    ...(blocked.length > 0 ? [section('In the way', renderWarnings(blocked))] : []),
    renderNext(review)
  ].join('\n\n')
}

function section(title: string, content: string): string {
  return `${paint('bold', title)}\n${content}`
}

function renderSender({ root, sender, created, bytes, id }: Review): string {
  const name = oneLine(sender.name)
  const trust = sender.verified
    ? paint('green', 'verified')
    : paint('yellow', `not verified: compare safety words with \`selkie verify ${shellWord(name)}\``)
  return `${paint('bold', `@${root}`)} from ${paint('bold', name)}, ${trust}
${paint('dim', `identity ${sender.identity}\nbundle ${id}, sealed ${timed(created)}, ${sized(bytes)}`)}`
}

function renderNames(skills: readonly ReviewedSkill[]): string {
  return aligned(
    skills.map(({ incoming, slug, status }) => [
      `  ${incoming}`,
      `→ @${slug}`,
      `${status}: ${MEANING[status]}`
    ])
  )
}

function renderSkill(skill: ReviewedSkill): string {
  const { author, lineage, status } = skill
  const by = `${oneLine(author.name)}${author.known ? '' : ', not a contact'}`
  const head = [
    `${paint('bold', `@${skill.slug}`)}  ${oneLine(skill.title)}`,
    `  ${oneLine(skill.summary)}`,
    `  by ${by}, ${counted(lineage.length, 'version')}${lineage[0] ? `, the newest of ${timed(lineage[0].time)}` : ''}`
  ]
  if (status === 'same') return head.join('\n')
  return [...head, ...renderContent(skill), ...renderFiles(skill)].join('\n')
}

function renderContent({ header, body, diff, merge }: ReviewedSkill): string[] {
  if (diff === undefined) {
    const frontmatter = header ? ['  Its frontmatter:', quoted(header.trimEnd()), '  Its text:'] : []
    return [...frontmatter, quoted(body)]
  }
  const changes =
    diff === '' ? ['  Its text is the same.'] : ['  Against what is here:', quoted(paintDiff(diff))]
  if (!merge) return changes
  const how = merge.clean ? 'Both edits go together:' : 'Both edits touch the same lines; merge them by hand:'
  return [...changes, `  ${how}`, quoted(merge.text)]
}

function renderFiles({ files }: ReviewedSkill): string[] {
  if (files.length === 0) return []
  const rows = files.map(({ path, size, exec, change }) => [
    `    ${sized(size)}`,
    change ?? '',
    exec ? paint('yellow', 'executable') : '',
    oneLine(path)
  ])
  return [`  ${counted(files.length, 'file')}`, aligned(rows)]
}

function renderTools({ tools: { needed, missing, notGranted } }: Review): string {
  if (needed.length === 0) return '  It needs none.'
  return aligned([
    ['  needed', needed.join(', ')],
    ...(notGranted.length > 0 ? [['  not granted', notGranted.join(', ')]] : []),
    ...(missing.length > 0 ? [['  not in this build', paint('yellow', missing.join(', '))]] : [])
  ])
}

function renderWarnings(warnings: readonly ReviewWarning[]): string {
  return warnings
    .map((warning) => `  ${place(warning)}${oneLine(warning.message)} (${warning.code})`)
    .join('\n')
}

function place({ skill, path, line }: ReviewWarning): string {
  const within = [skill && `“${skill}”`, path && oneLine(path), line && `line ${line}`]
    .filter(Boolean)
    .join(', ')
  return within === '' ? '' : `${within}: `
}

/** The command that takes in what was shown, with the decisions that are still to be made as choices. */
function renderNext({ id, blocked, skills }: Review): string {
  const held = [...new Set(blocked.flatMap(({ skill }) => skill ?? []))]
  const exec = skills.some(({ files }) => files.some(({ exec }) => exec))
  const decline = `To decline it:          selkie decline ${id}`
  const files = skills.some((skill) => skill.files.length > 0)
  const look = files ? `\nTo read one of its files: selkie review ${id} --file SKILL/PATH` : ''
  const aside = exec ? '\nIts executable files come as plain ones, unless you add --exec.' : ''
  if (blocked.length === 0) return `To take all of it in:   selkie accept ${id}\n${decline}${look}${aside}`
  if (held.length === 0) return `It can’t be taken in.\n${decline}`
  const mine = held.map((skill) => ` --use-mine ${skill}=${heldBy(skills, skill)}`).join('')
  const instead = `With yours instead:     selkie accept ${id}${mine}\n${decline}${look}${aside}`
  if (held.length === skills.length) return instead
  const drops = held.map((skill) => ` --drop ${skill}`).join('')
  return `To take in the rest:    selkie accept ${id}${drops}\n${instead}`
}

/** What may stand in for a skill: what it is here already, else whatever a person names. */
function heldBy(skills: readonly ReviewedSkill[], incoming: string): string {
  const held = skills.find((skill) => skill.incoming === incoming)
  return !held || held.status === 'new' || held.status === 're-slugged' ? 'SLUG' : held.slug
}
