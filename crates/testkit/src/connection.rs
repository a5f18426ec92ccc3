//! One connection: requests in, scripted bytes out.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::reply::{Body, Framing};
use crate::server::Script;
use crate::{Reply, Request};

/// Longest head of a request that is read.
const MOST_HEAD: usize = 64 << 10;

/// Serves HTTP/1 until either side has enough.
pub(crate) async fn serve<S>(mut stream: S, script: Arc<Script>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut unread = Vec::new();
    while let Some(request) = next_request(&mut stream, &mut unread).await? {
        let reply = script.answer(request);
        write(&mut stream, &reply, &script).await?;
        if reply.framing != Framing::Length {
            // A closed sending side, not a reset: all that was sent arrives.
            stream.shutdown().await?;
            return Ok(());
        }
    }
    Ok(())
}

async fn next_request<S>(stream: &mut S, unread: &mut Vec<u8>) -> io::Result<Option<Request>>
where
    S: AsyncRead + Unpin,
{
    loop {
        let end = unread.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let request = Request::parse(&unread[..end]);
            unread.drain(..end + 4);
            return Ok(request);
        }
        if unread.first().is_some_and(u8::is_ascii_control) {
            return Ok(None); // a TLS greeting, and this is not TLS
        }
        if unread.len() > MOST_HEAD || stream.read_buf(unread).await? == 0 {
            return Ok(None);
        }
    }
}

async fn write<S>(stream: &mut S, reply: &Reply, script: &Script) -> io::Result<()>
where
    S: AsyncWrite + Unpin,
{
    stream.write_all(&reply.head()).await?;
    match &reply.body {
        Body::Whole(body) => send(stream, body, script).await?,
        Body::Repeated {
            before,
            piece,
            times,
            pause,
        } => {
            send(stream, before, script).await?;
            let mut sent = 0;
            while times.is_none_or(|times| sent < times) {
                send(stream, piece, script).await?;
                sent += 1;
                if !pause.is_zero() {
                    tokio::time::sleep(*pause).await;
                }
            }
        }
    }
    Ok(())
}

async fn send<S>(stream: &mut S, bytes: &[u8], script: &Script) -> io::Result<()>
where
    S: AsyncWrite + Unpin,
{
    stream.write_all(bytes).await?;
    stream.flush().await?;
    script.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    Ok(())
}

/// Serves HTTP/2, whole bodies only.
pub(crate) async fn serve_http2<S>(stream: S, script: Arc<Script>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let reply = script.answer(plain(&request));
        async move { whole(&reply) }
    });
    let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
        .max_header_list_size(1 << 24)
        .serve_connection(TokioIo::new(stream), service);
    // A client that goes away mid-way is no concern of a test server.
    let _ = connection.await;
}

fn plain(request: &hyper::Request<Incoming>) -> Request {
    let path = request.uri().path_and_query();
    let headers = request.headers().iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    });
    Request {
        method: request.method().to_string(),
        path: path.map_or("/", |path| path.as_str()).to_owned(),
        headers: headers.collect(),
    }
}

fn whole(reply: &Reply) -> Result<hyper::Response<Full<Bytes>>, hyper::http::Error> {
    let mut response = hyper::Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    let body = match &reply.body {
        Body::Whole(body) => body.clone(),
        Body::Repeated { before, .. } => before.clone(),
    };
    response.body(Full::new(body))
}
