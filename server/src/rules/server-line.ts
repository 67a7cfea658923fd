// One line of the staff's page about the server.

/** Nothing to do; somebody should look today; somebody should look now. */
export type ServerLineState = 'fine' | 'look' | 'broken'

export interface ServerLine {
  /** Names what the line is about, for ever. */
  readonly id: string
  readonly title: string
  readonly state: ServerLineState
  /** The figure in a few words. */
  readonly figure: string
  /** What it means, as a whole sentence. */
  readonly sentence: string
  /** What to do about it; null when nothing is to be done. */
  readonly action: string | null
}
