// Every number that browser and server must agree on, and every limit that the server enforces.

/** Largest RedCoin amount anywhere: the largest whole number JSON carries exactly. */
export const redCoinMax = Number.MAX_SAFE_INTEGER

/** Largest id or plain count that fits PostgreSQL's integer. */
export const integerMax = 2_147_483_647

/** Units of a prize that staff may set; units that winners give up may exceed it. */
export const stockMax = 1_000_000_000

/** Most undeleted rows in the catalogue, since its lists are not paged. */
export const prizesMax = 1_000
export const packTypesMax = 500
export const listingsMax = 500

export const packsPerOpenMin = 1
export const packsPerOpenMax = 50

export const displayNameMax = 50
export const bioMax = 500
export const nameMax = 200
export const textMax = 5_000
export const urlMax = 2_000
export const imageTypeMax = 50
export const usernameMax = 100
export const passwordMax = 1_000

export const walletAddressMin = 32
export const walletAddressMax = 44
/**
 * The whole rule for an address, in browser and server. The browser asks once about one that fits
 * and is still no Solana address, and staff see it as unchecked.
 */
export const walletAddressPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export const addressLinesMax = 4

export const idempotencyKeyMax = 255

export const claimsPageDefault = 25
export const claimsPageMax = 100
export const adminClaimsPageDefault = 50
export const adminPageMax = 200
/** Claims that one call changes: as many as somebody ticks on twenty pages. */
export const claimsAtOnceMax = 1_000
/** Days that a winner may be given to say where a prize goes. */
export const deadlineDaysMax = 365
/** Codes that one list adds to a prize; a file has as many rows as any. */
export const codesAtOnceMax = 1_000
/** Questions that a prize may ask its winner, and characters of an answer. */
export const questionsMax = 3
export const answersMax = 200
/** Characters of a tracking number. */
export const trackingNumberMax = 60
/** Listings whose places in the store one call sets. */
export const listingsAtOnceMax = 500
/** Words that new names are searched for, and characters of one. */
export const nameWordsMax = 500
export const nameWordMax = 50
/** Characters of the reason for a suspension or shown name, and of the person's answer. */
export const standingTextMax = 500
export const staffNoteMax = 2_000
/** Newest rows of each history, and newest notes, that staff see of a user. */
export const personHistoryMax = 20
export const personNotesMax = 50
/** Hits that a search of users or the staff log counts; more show as this many. */
export const hitsMax = 10_000
/** Hits that a search for claims counts and returns. */
export const claimHitsMax = 1_000
/** Shipments that are counted per state. */
export const shipmentsCountedMax = 10_000
/** Claims that are sorted by words: without an index, every match is read. */
export const claimsSortedMax = 10_000
/** Rows in one file that staff download. */
export const adminFileRowsMax = 100_000
export const openingsListMax = 100
export const fairnessPageDefault = 25
export const fairnessPageMax = 100
export const historyPageDefault = 25
export const historyPageMax = 100
/** Rows in one downloaded history file. */
export const historyFileRowsMax = 100_000
export const noticesMax = 50
/** Browsers per person that receive push. */
export const pushDevicesMax = 10
/** Characters that staff may add to a kind of news. */
export const sentenceMax = 300
/** How far back notices go. */
export const noticeDaysMax = 90
export const leaderboardDefault = 50
export const leaderboardMax = 10_000
export const pageNumberMax = 1_000_000

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/**
 * Largest request body by its contents; `fields` unless an endpoint says otherwise. Without a
 * session nobody can send more than a `message`.
 */
export const bodyBytesMax = {
  /** A few short fields; also for calls that take no body. */
  fields: 16 * kibibyte,
  /** What Twitch or Discord sends, signed. */
  message: 64 * kibibyte,
  /** Texts that staff write. */
  texts: 128 * kibibyte,
  /** All names or ids of a bulk action. */
  list: 4 * mebibyte,
  /** One file of at most 5 MB and its fields. */
  file: 6 * mebibyte,
  /** A picture as text inside JSON, which takes a third more than its bytes. */
  picture: 10 * mebibyte,
} as const
export type BodyLimit = keyof typeof bodyBytesMax

/** How deep lists and objects of a JSON body may be nested. */
export const bodyDepthMax = 20
/**
 * Most structural characters in a JSON body: brackets, commas, colons and escaped quotes. They cost
 * far more to parse than the bytes of a long text.
 */
export const bodyMarksMax: Readonly<Record<BodyLimit, number>> = {
  fields: 4_000,
  message: 5_000,
  texts: 10_000,
  list: 25_000,
  file: 4_000,
  picture: 15_000,
}
/** Most problems with a request that an answer lists. */
export const listedProblemsMax = 20

export const uploadBytesMax = 5 * 1024 * 1024
/** Most picture characters in one answer; further pictures come as addresses. */
export const answerPicturesMax = 1_000_000
export const bulkRowsMax = 10_000
/** For this long, the same file gives nothing again in the same action unless asked to. */
export const bulkRepeatHours = 24
export const batchRowsPageDefault = 100
export const batchRowsPageMax = 1_000

/** Most watch time that one heartbeat credits, however long since the last. */
export const heartbeatCreditSecondsMax = 90
/** Consolation for a losing pack while no setting is stored. */
export const consolationRedCoinDefault = 5

export const realtimeSocketsPerUserMax = 10
export const realtimeMessageBytesMax = 64 * 1024
export const realtimeMessagesPerMinuteMax = 100
