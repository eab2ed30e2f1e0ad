/** One pane and its fence: what breaks inside says so in words and can be started again; the rest of the window goes on. */
import { Component, type ErrorInfo, type ReactNode, Suspense } from 'react'
import type { Pane } from '../features/feature.ts'
import { t } from '../ui/i18n.ts'
import { Button, EmptyState, Spinner } from '../ui/index.ts'

interface FenceProps {
  readonly name: string
  readonly children: ReactNode
  /** Too small for words: what breaks vanishes. */
  readonly quiet?: boolean
}

/** React knows no hook for this. */
export class Fence extends Component<FenceProps, { readonly fault: Error | null }> {
  override state: { readonly fault: Error | null } = { fault: null }

  static getDerivedStateFromError(fault: Error) {
    return { fault }
  }

  override componentDidCatch(fault: Error, info: ErrorInfo) {
    console.error(`${this.props.name} broke`, fault, info.componentStack)
  }

  override render() {
    const { fault } = this.state
    if (!fault) return this.props.children
    if (this.props.quiet) return null
    return (
      <div role="alert" className="app-broken">
        <EmptyState title={t('app.broken', { name: this.props.name })} body={fault.message}>
          <Button variant="main" onClick={() => this.setState({ fault: null })}>
            {t('app.brokenRetry')}
          </Button>
          <Button onClick={() => void navigator.clipboard.writeText(`${fault.message}\n${fault.stack ?? ''}`)}>
            {t('ui.copy')}
          </Button>
          <Button onClick={() => window.location.reload()}>{t('app.brokenReload')}</Button>
        </EmptyState>
      </div>
    )
  }
}

export const PaneFrame = ({ pane }: { readonly pane: Pane }) => (
  <LateContent name={t(pane.title)}>
    <pane.component />
  </LateContent>
)

export const LateContent = ({ name, children }: Pick<FenceProps, 'name' | 'children'>) => (
  <Fence name={name}>
    <Suspense fallback={<Loading />}>{children}</Suspense>
  </Fence>
)

const Loading = () => (
  <div className="app-loading">
    <Spinner label={t('app.loading')} />
  </div>
)
