// The form in the page that puts a pack type into the store.

import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { ListingFields } from './listing-fields.tsx'
import { inlineListingDraft } from './listing-form-values.ts'
import { useListingForm } from './use-listing-form.ts'

export function CreateListing() {
  const { form, save, isSaving } = useListingForm({ start: inlineListingDraft })
  return (
    <Card>
      <CardHeader level={3} title="Create Store Listing" />
      <form noValidate onSubmit={save} aria-label="Create Store Listing">
        <ListingFields
          form={form}
          className="grid grid-cols-1 gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-3"
        />
        <Button type="submit" isPending={isSaving} className="mt-6">
          {!isSaving && <Plus aria-hidden="true" />}
          {isSaving ? 'Creating...' : 'Create listing'}
        </Button>
      </form>
    </Card>
  )
}
