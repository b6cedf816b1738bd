import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/tokens.css';
import './theme/links.css';

const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode>Heddle</StrictMode>);
