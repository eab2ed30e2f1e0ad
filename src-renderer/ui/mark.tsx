/** Belay's mark: a carabiner with its gate. */
export const Mark = ({ size = 18, className }: { readonly size?: number; readonly className?: string }) => (
  <svg
    className={className}
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M7 17.5a5 5 0 0 1-3.2-4.7V7.4a5 5 0 0 1 9.3-2.5l2.4 4.2a5 5 0 0 1 .7 2.5v1.2a5 5 0 0 1-5 5" />
    <path d="M8.2 7.6v5.6" />
  </svg>
)
