// What the operator calls the product and where its shop is: read once from the page's own head.

function metaContent(name: string, fallback: string): string {
  const meta = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  return meta?.content.trim() || fallback
}

/**
 * The settings of the brand. The server writes `BRAND_NAME` and `SHOP_URL` into the two
 * meta elements of the page; the fallbacks are for pages without them.
 */
export const brand = {
  name: metaContent('brand-name', 'Redpack'),
  /** Shop collection behind 'Get More Packs'. */
  shopUrl: metaContent('shop-url', 'https://shop.example/collections/packs'),
} as const

/** Title of the document while a screen is open. */
export function documentTitle(screen: string | undefined): string {
  return screen ? `${screen} · ${brand.name}` : brand.name
}
