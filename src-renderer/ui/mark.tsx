/** Belay's mark: a rope in a carabiner. Its drawing is resources/icons/source/mark.svg (icons.test.ts keeps them one). */
const drawing =
  'M13.45 4.6A4.05 4.05 0 0 0 9.4.55H6.8A4.15 4.15 0 0 0 2.65 4.7V9.6A3.95 3.95 0 0 0 5.8 13.47V11.7A2.25 2.25 0 0 1 4.35 9.6V4.7A2.45 2.45 0 0 1 6.8 2.25H9.4A2.35 2.35 0 0 1 11.75 4.6A.85.85 0 0 0 13.45 4.6ZM12.98 6.96L12.58 8.56A.65.65 0 0 1 11.32 8.24L11.72 6.64A.65.65 0 0 1 12.98 6.96ZM9.2 11.76A2.05 2.05 0 0 0 10.63 10.12A.85.85 0 0 1 12.3 10.38A3.75 3.75 0 0 1 9.2 13.5ZM6.7 16V8.2A.8.8 0 0 1 8.3 8.2V16Z'

export const Mark = ({ size = 18, className }: { readonly size?: number; readonly className?: string }) => (
  <svg className={className} width={size} height={size} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
    <path d={drawing} />
  </svg>
)
