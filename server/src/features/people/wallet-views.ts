// What the caller sees of the own wallet.

import type { WalletStatus } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'

const readWallet = statement(
  'read_wallet_status',
  `SELECT solana_wallet, solana_wallet_verified_at FROM users
   WHERE id = $1 AND deleted_at IS NULL`,
)

/** @throws DomainError unauthorized when the account is gone */
export async function walletStatus(db: Queryable, userId: number): Promise<WalletStatus> {
  const rows = await db.run<{
    solana_wallet: string | null
    solana_wallet_verified_at: Date | null
  }>(readWallet, [userId])
  const row = rows[0]
  if (row === undefined) throw new DomainError('unauthorized', 'Unauthorized')
  return {
    walletAddress: row.solana_wallet,
    verifiedAt: row.solana_wallet_verified_at?.toISOString() ?? null,
  }
}
