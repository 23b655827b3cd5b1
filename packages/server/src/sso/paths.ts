/** Paths of this domain below an organization: the singular of the specification, and the plural as its alias. */
import Type from 'typebox'

type Path = `/${string}`

export const organizationPath = (rest: Path): { path: Path; aliases: Path[] } => ({
  path: `/organization/:id${rest}`,
  aliases: [`/organizations/:id${rest}`],
})

export const onOrganization = Type.Object({ id: Type.String() })

/** @param base the address of the server, without a slash at the end. */
export const redirectUriOf = (base: string, providerId: string): string => `${base}/auth/callback/sso/${providerId}`
