// Save Changes and Reset: at the end of the page, and within reach while something is unsaved.

import { RotateCcw, Save } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { Button } from '../../ui/form/button.tsx'

export interface SaveBarProps {
  readonly formId: string
  readonly isUnsaved: boolean
  readonly isRestored: boolean
  readonly isSaving: boolean
  readonly onReset: () => void
}

export function SaveBar({ formId, isUnsaved, isRestored, isSaving, onReset }: SaveBarProps) {
  return (
    <div
      data-bar={isUnsaved ? 'unsaved' : undefined}
      className={cn(
        'card on-card z-nav flex flex-wrap items-center gap-x-6 gap-y-3 p-3 sm:px-6',
        isUnsaved && 'sticky bottom-3 bg-raised',
      )}
    >
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          form={formId}
          tone={isUnsaved ? 'primary' : 'secondary'}
          isPending={isSaving}
        >
          {!isSaving && <Save aria-hidden="true" />}
          {isSaving ? 'Saving...' : 'Save Changes'}
        </Button>
        <Button tone="secondary" onClick={onReset} disabled={isSaving}>
          <RotateCcw aria-hidden="true" />
          Reset
        </Button>
      </div>
      <p role="status" className="min-w-0 text-muted">
        {textOf(isUnsaved, isRestored)}
      </p>
    </div>
  )
}

function textOf(isUnsaved: boolean, isRestored: boolean): string {
  if (!isUnsaved) return 'All changes saved'
  return isRestored ? 'Your unsaved changes from before are back' : 'You have unsaved changes'
}
