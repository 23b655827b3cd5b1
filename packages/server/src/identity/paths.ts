/** Paths of this domain: the singular of the specification, and the plural as its alias (spec platform 23). */
type Path = `/${string}`

export const organizationPath = (rest: Path | ''): { path: Path; aliases: Path[] } => ({
  path: `/organization${rest}`,
  aliases: [`/organizations${rest}`],
})

export const invitationPath = (rest: Path | ''): { path: Path; aliases: Path[] } => ({
  path: `/invitation${rest}`,
  aliases: [`/invitations${rest}`],
})
