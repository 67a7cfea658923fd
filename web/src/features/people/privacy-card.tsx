// What people can do about what is kept of them: take it along, or leave for good.

import { privacyContract } from '@redpack/contract'
import { Download, ShieldUser, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { DeleteAccount } from './delete-account.tsx'

export interface PrivacyCardProps {
  readonly username: string
  /** Called once the account is gone. */
  readonly onDeleted: () => void
}

export function PrivacyCard({ username, onDeleted }: PrivacyCardProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card role="group" aria-label="Your Data">
      <CardHeader title="Your Data" icon={ShieldUser} />
      <p className="mb-4 text-muted">
        Everything that is kept about you as one JSON file: profile, openings, claims with their
        delivery details, every change of your balance, and what staff have noted about you and done
        to your account.
      </p>
      <a
        href={privacyContract.exportOwnData.path}
        download
        className={buttonLook({ tone: 'secondary' })}
      >
        <Download aria-hidden="true" />
        Download my data
      </a>
      <p className="mt-4 text-muted">
        This browser itself remembers the commitments to your seeds and the newest state of the draw
        log, without any name, to notice if they are ever exchanged. It keeps them after you log
        out; clearing the data of this site removes them.
      </p>
      <div className="mt-6 border-t border-line pt-4">
        <p className="mb-4 text-muted">
          You can leave for good. Your name and contact details go; this cannot be undone.
        </p>
        <Button tone="danger" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" />
          Delete my account
        </Button>
      </div>
      {isAsking && (
        <DeleteAccount username={username} onClose={() => setAsking(false)} onDeleted={onDeleted} />
      )}
    </Card>
  )
}
