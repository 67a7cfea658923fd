// A Discord channel's name as people know it.

/** '#rewards', whether or not the mark was entered with the name. */
export function channelText(name: string): string {
  return `#${name.replace(/^#/, '')}`
}
