import type { ReviewedFile } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { textOf } from '../base/text-of.js'
import type { Self } from '../store/self.js'
import { namedInbox, openWaiting } from './inbox.js'

/**
 * A file of a bundle in the inbox, out of the same sealed bytes that an approval counts
 * for.
 *
 * @param incoming what its sender calls the skill
 * @throws SelkieError E_DELIVERY_UNKNOWN, E_DECISION_UNKNOWN, E_REVIEW_FILE, and what
 *   opening refuses
 */
export async function reviewedFile(
  self: Self,
  id: string,
  incoming: string,
  path: string
): Promise<ReviewedFile> {
  const opened = await openWaiting(self, namedInbox(self, id))
  const skill = opened.manifest.skills.find(({ slug }) => slug === incoming)
  if (!skill) throw new SelkieError('E_DECISION_UNKNOWN', { incoming })
  const { content } = opened.contents.get(skill.content)!
  const file = content.files.find((entry) => entry.path === path)
  if (!file) throw new SelkieError('E_REVIEW_FILE', { incoming, path })
  return { incoming, ...file, text: textOf(opened.files.get(file.hash)!) }
}
