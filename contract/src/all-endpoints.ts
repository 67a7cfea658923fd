// The flat list of every endpoint, each with its name.

import { adminAuditContract } from './admin-audit.ts'
import { adminBatchesContract } from './admin-batches.ts'
import { adminBotsContract } from './admin-bots.ts'
import { adminClaimsContract } from './admin-claims.ts'
import { adminEconomyContract } from './admin-economy.ts'
import { adminGrantsContract } from './admin-grants.ts'
import { adminJobsContract } from './admin-jobs.ts'
import { adminLogContract } from './admin-log.ts'
import { adminOverviewContract } from './admin-overview.ts'
import { adminPackTypesContract } from './admin-pack-types.ts'
import { adminPeopleContract } from './admin-people.ts'
import { adminPrizesContract } from './admin-prizes.ts'
import { adminServerContract } from './admin-server.ts'
import { adminStoreContract } from './admin-store.ts'
import { adminStreamsContract } from './admin-streams.ts'
import { adminThemeContract } from './admin-theme.ts'
import { adminUsersContract } from './admin-users.ts'
import { authContract } from './auth.ts'
import { claimsContract } from './claims.ts'
import { coinsContract } from './coins.ts'
import { deliveryContract } from './delivery.ts'
import { deliveryRecordContract } from './delivery-record.ts'
import { drawLogContract } from './draw-log.ts'
import type { EndpointShape } from './endpoint.ts'
import { fairnessContract } from './fairness.ts'
import { historyContract } from './history.ts'
import { noticesContract } from './notices.ts'
import { adminOutboxContract, notificationsContract } from './notifications.ts'
import { packsContract } from './packs.ts'
import { privacyContract } from './privacy.ts'
import { secondFactorContract } from './second-factor.ts'
import { adminShipmentsContract, shipmentsContract } from './shipments.ts'
import { standingContract } from './standing.ts'
import { storeContract } from './store.ts'
import { systemContract } from './system.ts'
import { themeContract } from './theme.ts'
import { usersContract } from './users.ts'
import { walletProofContract } from './wallet-proof.ts'
import { watchContract } from './watch.ts'

const nouns = {
  auth: authContract,
  packs: packsContract,
  fairness: fairnessContract,
  drawLog: drawLogContract,
  users: usersContract,
  walletProof: walletProofContract,
  privacy: privacyContract,
  claims: claimsContract,
  delivery: deliveryContract,
  deliveryRecord: deliveryRecordContract,
  shipments: shipmentsContract,
  store: storeContract,
  coins: coinsContract,
  history: historyContract,
  notices: noticesContract,
  notifications: notificationsContract,
  adminOutbox: adminOutboxContract,
  watch: watchContract,
  theme: themeContract,
  adminOverview: adminOverviewContract,
  adminPrizes: adminPrizesContract,
  adminPackTypes: adminPackTypesContract,
  adminStore: adminStoreContract,
  adminEconomy: adminEconomyContract,
  adminUsers: adminUsersContract,
  adminPeople: adminPeopleContract,
  standing: standingContract,
  adminClaims: adminClaimsContract,
  adminShipments: adminShipmentsContract,
  adminGrants: adminGrantsContract,
  adminBatches: adminBatchesContract,
  adminStreams: adminStreamsContract,
  adminAudit: adminAuditContract,
  adminBots: adminBotsContract,
  adminTheme: adminThemeContract,
  adminJobs: adminJobsContract,
  adminServer: adminServerContract,
  adminLog: adminLogContract,
  secondFactor: secondFactorContract,
  system: systemContract,
} as const

type Nouns = typeof nouns

/** A noun and one of its calls, for example `packs.open`. */
export type EndpointName = {
  [Noun in keyof Nouns]: `${Noun}.${Extract<keyof Nouns[Noun], string>}`
}[keyof Nouns]

export type NamedEndpoint = EndpointShape & { readonly name: EndpointName }

/** Every endpoint of the product with its name, in a fixed order. */
export const allEndpoints: readonly NamedEndpoint[] = Object.entries(nouns).flatMap(
  ([noun, calls]) =>
    Object.entries<EndpointShape>(calls).map(([call, shape]) => ({
      ...shape,
      // The names come from the same object as the type, so the cast restores what entries lose.
      name: `${noun}.${call}` as EndpointName,
    })),
)
