/**
 * What random stories run into and nobody has put right yet, by what {@link tell} says of
 * it: they pass it over, so that they find what is new. Each has a test of its own in
 * `named.test.ts`, marked as still to do; who puts it right takes out both marks.
 */
export const KNOWN: readonly RegExp[] = [
  /^the edit of step \d+ is lost, that knew of an import$/,
  /: a version is beside its own past$/,
  /^two contacts have one name|^contacts on device/,
  /^who was forgotten is a contact again$/,
  /^inbox on device/,
  /, and that is (a|no) notice$/,
  /was updated apart, and nobody is told$/
]
