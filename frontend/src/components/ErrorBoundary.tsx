import { Component } from 'react';
import type { ReactNode } from 'react';

interface Props {
  readonly name: string;
  /** A new value tries again. */
  readonly resetKey: unknown;
  /** Puts the message where it belongs; without it, it stands in the place of what failed. */
  readonly frame?: (message: ReactNode) => ReactNode;
  readonly children: ReactNode;
}

/** Keeps the failure of one panel inside that panel. */
export class ErrorBoundary extends Component<Props, { readonly failed: Error | null }> {
  override state: { readonly failed: Error | null } = { failed: null };

  static getDerivedStateFromError(failed: Error) {
    return { failed };
  }

  override componentDidUpdate(previous: Props): void {
    if (this.state.failed !== null && previous.resetKey !== this.props.resetKey) this.setState({ failed: null });
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    const message = (
      <p role="alert" className="panel-message">
        {this.props.name} could not be drawn: {this.state.failed.message}. This is a defect in Heddle; please report it
        with the link to this page. The rest of the page keeps working.{' '}
        <button type="button" className="link-button" onClick={() => this.setState({ failed: null })}>
          Draw it again
        </button>
      </p>
    );
    return this.props.frame === undefined ? message : this.props.frame(message);
  }
}
