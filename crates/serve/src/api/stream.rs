//! What happens, as it happens: server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::state::App;

/// How often an idle stream shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Visits, cycles and pages as they come, until the reader or the server goes:
/// `visit`, `skipped` (more visits than are told), `cycle`, `pages`, and `lagged`
/// where the reader was too slow.
#[utoipa::path(get, path = "/events", tag = "activity",
    responses((status = 200, body = String, content_type = "text/event-stream")))]
pub(crate) async fn stream(
    State(app): State<App>,
    Extension(stop): Extension<CancellationToken>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let receiver = app.shared.events.subscribe();
    let events = unfold((receiver, stop), async |(mut receiver, stop)| {
        let received = tokio::select! {
            received = receiver.recv() => received,
            () = stop.cancelled() => return None,
        };
        let event = match received {
            Ok(message) => {
                let message = Arc::clone(&message);
                Event::default()
                    .event(message.event)
                    .data(message.data.as_str())
            }
            Err(RecvError::Lagged(missed)) => {
                let data = format!("{{\"missed\":{missed}}}");
                Event::default().event("lagged").data(data)
            }
            Err(RecvError::Closed) => return None,
        };
        Some((Ok(event), (receiver, stop)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}
