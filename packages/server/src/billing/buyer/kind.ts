/** The job that reads the entitlements of every purchase. */
export const ENTITLEMENTS_KIND = 'billing.entitlements'
