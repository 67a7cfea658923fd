// Every number that the browser and the server must agree on, and every bound the server enforces.

/** Largest RedCoin amount anywhere: the largest whole number JSON carries exactly. */
export const redCoinMax = Number.MAX_SAFE_INTEGER

/** Largest id or plain count that fits PostgreSQL's integer. */
export const integerMax = 2_147_483_647

/** Units of a prize that staff may set; those that winners give up come on top. */
export const stockMax = 1_000_000_000

/** The catalogue has no more of these that are not deleted: its lists are whole ones. */
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
 * The whole rule of an address, in the browser and on the server. What keeps it and is no Solana
 * address all the same is asked about once, and marked as unchecked for staff.
 */
export const walletAddressPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export const addressLinesMax = 4

export const idempotencyKeyMax = 255

export const claimsPageDefault = 25
export const claimsPageMax = 100
export const adminClaimsPageDefault = 50
export const adminPageMax = 200
/** Claims that one call approves or deletes: as many as the largest page has. */
export const claimsAtOnceMax = 200
/** Days that a winner may be given to say where a prize goes. */
export const deadlineDaysMax = 365
/** Codes that one list adds to a prize; a file has as many rows as any. */
export const codesAtOnceMax = 1_000
/** Questions that a prize may have for its winner, and characters of an answer. */
export const questionsMax = 3
export const answersMax = 200
/** Characters of a courier's number. */
export const trackingNumberMax = 60
/** Listings whose places in the store one call sets. */
export const listingsAtOnceMax = 500
/** Words that new names are looked through for, and characters of one. */
export const nameWordsMax = 500
export const nameWordMax = 50
/** Characters of why staff changed how somebody stands, and of what that person answers. */
export const standingTextMax = 500
export const staffNoteMax = 2_000
/** Of a user staff see the newest rows of each kind of history, and the newest notes. */
export const personHistoryMax = 20
export const personNotesMax = 50
/** Of users and of the log of staff a search or filter says of more only that they are so many. */
export const hitsMax = 10_000
/** A search for claims says of more hits only that there are so many, and ends with them. */
export const claimHitsMax = 1_000
/** More shipments of a state are not counted beside the others. */
export const shipmentsCountedMax = 10_000
/** Claims that are sorted by words, for which there is no index: all that match are read. */
export const claimsSortedMax = 10_000
/** Rows of one downloaded file for staff. */
export const adminFileRowsMax = 100_000
export const openingsListMax = 100
export const fairnessPageDefault = 25
export const fairnessPageMax = 100
export const historyPageDefault = 25
export const historyPageMax = 100
/** Rows of one downloaded history file. */
export const historyFileRowsMax = 100_000
export const noticesMax = 50
/** Browsers of one person that news is pushed to. */
export const pushDevicesMax = 10
/** What staff may add to a kind of news, in characters. */
export const sentenceMax = 300
/** How far back notices go. */
export const noticeDaysMax = 90
export const leaderboardDefault = 50
export const leaderboardMax = 10_000
export const pageNumberMax = 1_000_000

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/**
 * Largest request body by what it carries. An endpoint that says nothing takes `fields`; whoever
 * needs no session never gets to send more than a `message`.
 */
export const bodyBytesMax = {
  /** A few short fields; also the bodies of calls that take none. */
  fields: 16 * kibibyte,
  /** What Twitch or Discord sends, signed. */
  message: 64 * kibibyte,
  /** Texts that staff write. */
  texts: 128 * kibibyte,
  /** As many names or ids as a bulk action reaches. */
  list: 4 * mebibyte,
  /** One file of at most 5 MB and the fields beside it. */
  file: 6 * mebibyte,
  /** A picture as text inside JSON, which takes a third more than its bytes. */
  picture: 10 * mebibyte,
} as const
export type BodyLimit = keyof typeof bodyBytesMax

/** How deep lists and objects of a JSON body may stand in each other. */
export const bodyDepthMax = 20
/**
 * Most marks of structure in a JSON body: brackets, commas, colons and escaped quotes. They are
 * what reading costs, far more than the bytes of a long text.
 */
export const bodyMarksMax: Readonly<Record<BodyLimit, number>> = {
  fields: 4_000,
  message: 5_000,
  texts: 10_000,
  list: 25_000,
  file: 4_000,
  picture: 15_000,
}
/** How many of the problems with a request an answer lists. */
export const listedProblemsMax = 20

export const uploadBytesMax = 5 * 1024 * 1024
/** Digits of all pictures that one answer carries; of later ones it says where they are served. */
export const answerPicturesMax = 1_000_000
export const bulkRowsMax = 10_000
/** Within this time the very same file gives nothing for the same action unless asked to again. */
export const bulkRepeatHours = 24
export const batchRowsPageDefault = 100
export const batchRowsPageMax = 1_000

/** Watch time one heartbeat can credit, however long the gap since the last one. */
export const heartbeatCreditSecondsMax = 90
/** Default of the consolation for a losing pack while no setting is stored. */
export const consolationRedCoinDefault = 5

export const realtimeSocketsPerUserMax = 10
export const realtimeMessageBytesMax = 64 * 1024
export const realtimeMessagesPerMinuteMax = 100
