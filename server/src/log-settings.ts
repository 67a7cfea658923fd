// The settings of the public log that are more than a word.

/** Where settings come from, and who is told what is wrong with them. */
interface SettingsReader {
  text(name: string): string | undefined
  refuse(name: string, why: string): void
}

export interface LogSettings {
  readonly logSigningKey: string | undefined
  readonly logWitnesses: readonly {
    /** `name+id+key`, as the witness's operator gives it. */
    readonly verifierKey: string
    /** Address under which checkpoints are submitted, without a slash at the end. */
    readonly url: string
  }[]
  /** Discord channel that gets the checkpoint once a day. */
  readonly logDiscordChannelId: string | undefined
}

/** Pairs of a witness's verifier key and its address, with `=` between them. */
const witnessPattern = /^([^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44})=(https?:\/\/.+)$/

/** Reads LOG_WITNESSES and LOG_DISCORD_CHANNEL_ID. */
export function readLogSettings(
  settings: SettingsReader,
  isProduction: boolean,
): Omit<LogSettings, 'logSigningKey'> {
  const words = (settings.text('LOG_WITNESSES') ?? '').split(/[\s,]+/).filter((word) => word !== '')
  const logWitnesses = words.flatMap((word) => {
    const [, verifierKey = '', url = ''] = witnessPattern.exec(word) ?? []
    if (URL.canParse(url) && (!isProduction || url.startsWith('https:'))) {
      return [{ verifierKey, url: url.replace(/\/+$/, '') }]
    }
    const pair = `VERIFIER_KEY=${isProduction ? 'https' : 'http'}://...`
    settings.refuse('LOG_WITNESSES', `must be pairs ${pair} with spaces between them`)
    return []
  })
  const logDiscordChannelId = settings.text('LOG_DISCORD_CHANNEL_ID')
  if (logDiscordChannelId !== undefined && !/^\d{5,25}$/.test(logDiscordChannelId)) {
    settings.refuse('LOG_DISCORD_CHANNEL_ID', 'must be the digits of a Discord channel id')
  }
  return { logWitnesses, logDiscordChannelId }
}
