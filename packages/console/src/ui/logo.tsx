/** The plumb line: a weight on a string, straight down. */
export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#1f5fbf" />
    <path d="M16 5v12M8 5h16" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
    <path d="M16 28l-5-7.5a6 6 0 0 1 10 0z" fill="#fff" />
  </svg>
)
