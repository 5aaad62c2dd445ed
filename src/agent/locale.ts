/** When and where the person is, as far as dates need it. */
export interface Locale {
  /** IANA name, as `Europe/Berlin`. */
  readonly timeZone: string
  /** 1 for Monday to 7 for Sunday. */
  readonly weekStart: number
}

/** What the system says of the person’s place. */
export function systemLocale(): Locale {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
  // Called `getWeekInfo` by the standard, and `weekInfo` in older engines.
  const language = new Intl.Locale(locale) as { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo }
  const week = language.getWeekInfo?.() ?? language.weekInfo
  return { timeZone, weekStart: week?.firstDay ?? 1 }
}

interface WeekInfo {
  readonly firstDay: number
}
