//! The server's side of one connection. The server behaves as the given fault requires.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;

use super::certificates::CertificateKind;
use super::fault::{Ending, Fault, Handshake, ServerOutput};
use super::host::{ServerRecord, TlsAcceptors, every, reset};
use super::reply::bank_reply;
use crate::bank::Fate;

/// The size of a huge reply, in bytes.
const HUGE_REPLY_BYTES: usize = 100 << 20;

/// Serves a connection with the given fault until it ends.
pub async fn serve(
    mut stream: TcpStream,
    fault: Rc<Fault>,
    record: Rc<RefCell<ServerRecord>>,
    tls_acceptors: Option<Rc<TlsAcceptors>>,
) {
    let Some(tls_acceptors) = tls_acceptors else {
        return serve_request(stream, &fault, &record).await;
    };
    match fault.handshake {
        Handshake::Open | Handshake::Refused => {
            let result = tls_acceptors
                .with(CertificateKind::Good)
                .accept(stream)
                .await;
            // Ignore a failed handshake. The test checks the error that the client reports.
            if let Ok(stream) = result {
                serve_request(stream, &fault, &record).await;
            }
        }
        Handshake::Bad(kind) => {
            if let Ok(mut stream) = tls_acceptors.with(kind).accept(stream).await {
                // The client must not accept this invalid certificate. Record every byte that it
                // sends, so that the test can check it.
                let received = read_some(&mut stream, 1).await;
                record.borrow_mut().raw.extend(received);
            }
        }
        Handshake::Unheard(limit) => {
            let received = read_some(&mut stream, limit).await;
            record.borrow_mut().raw.extend(received);
            end(stream, fault.ending).await;
        }
        Handshake::Unfinished(limit) => {
            let limited = LimitedStream {
                stream,
                left: limit,
            };
            if let Ok(mut stream) = tls_acceptors
                .with(CertificateKind::NoResumption)
                .accept(limited)
                .await
            {
                let received = read_some(&mut stream, 1).await;
                record.borrow_mut().raw.extend(received);
            }
        }
        Handshake::Nonsense => {
            if let ServerOutput::This(bytes) = &fault.output {
                let _ = stream.write_all(bytes).await;
            }
            let received = read_some(&mut stream, usize::MAX).await;
            record.borrow_mut().raw.extend(received);
        }
    }
}

/// A byte stream, with or without TLS, that gives access to its TCP connection.
trait Connection: AsyncRead + AsyncWrite + Unpin {
    fn tcp(&self) -> &TcpStream;
}

impl Connection for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Connection for tokio_rustls::server::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

async fn serve_request(
    mut connection: impl Connection,
    fault: &Fault,
    record: &RefCell<ServerRecord>,
) {
    match fault.read_limit {
        Some(limit) => {
            read_some(&mut connection, limit).await;
        }
        None => {
            let Some(request) = read_request(&mut connection).await else {
                return;
            };
            let mut record = record.borrow_mut();
            record.bank_status = fault
                .bank_action
                .map(|fate| pass_to_bank(&mut record, &request, fate));
            record.requests.push(request);
        }
    }
    let bank_status = record.borrow().bank_status;
    let result = send_output(&mut connection, &fault.output, bank_status, record).await;
    // Skip this if writing failed, because the client has then already closed the connection.
    if result.is_ok() {
        end(connection, fault.ending).await;
    }
}

/// Passes a request to the simulated bank, and returns the HTTP status of its reply.
fn pass_to_bank(record: &mut ServerRecord, request: &[u8], fate: Fate) -> u16 {
    let text = String::from_utf8_lossy(request);
    let header = |name| text.lines().find_map(|line| line.strip_prefix(name));
    let key = header("Idempotency-Key: ").and_then(|key| uuid::Uuid::parse_str(key).ok());
    let (_, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    let now = record.now;
    let processing_time = record.processing_time;
    match key {
        Some(key) => {
            record
                .bank
                .handle_request(key.as_u128(), &Arc::from(body), now, fate, processing_time)
        }
        None => 400,
    }
}

async fn send_output(
    connection: &mut impl Connection,
    output: &ServerOutput,
    bank_status: Option<u16>,
    record: &RefCell<ServerRecord>,
) -> io::Result<()> {
    let full_reply = || {
        let request = record.borrow().requests.last().cloned().unwrap_or_default();
        bank_reply(bank_status, &request)
    };
    match output {
        ServerOutput::Nothing => {}
        ServerOutput::Bank { framing, body, cut } => {
            let reply = full_reply().with(*body).into_bytes(*framing);
            let limit = cut.unwrap_or(usize::MAX).min(reply.len());
            record.borrow_mut().sent_whole_reply = cut.is_some() && limit == reply.len();
            connection.write_all(&reply[..limit]).await?;
        }
        ServerOutput::BankAfter(first) => {
            connection.write_all(first).await?;
            connection.write_all(&full_reply().plain()).await?;
        }
        ServerOutput::BankBefore(last) => {
            connection
                .write_all(&[full_reply().plain(), last.clone()].concat())
                .await?;
        }
        ServerOutput::BankAs(edit) => {
            let reply = full_reply().plain();
            connection
                .write_all(edit(&String::from_utf8_lossy(&reply)).as_bytes())
                .await?;
        }
        ServerOutput::BankSlowly(milliseconds) => {
            let mut interval = every(*milliseconds);
            for byte in full_reply().plain() {
                interval.tick().await;
                connection.write_all(&[byte]).await?;
                connection.flush().await?;
            }
        }
        ServerOutput::This(bytes) => connection.write_all(bytes).await?,
        ServerOutput::Flood {
            first,
            piece,
            is_endless,
        } => {
            connection.write_all(first).await?;
            let mut sent = 0;
            while *is_endless || sent < HUGE_REPLY_BYTES {
                connection.write_all(piece).await?;
                sent += piece.len();
            }
        }
    }
    connection.flush().await
}

async fn end(mut connection: impl Connection, ending: Ending) {
    match ending {
        Ending::Closed => {
            let _ = connection.shutdown().await;
            // Read the remaining bytes first, because closing a socket with unread bytes resets the
            // connection.
            read_some(&mut connection, usize::MAX).await;
        }
        Ending::Dropped => {}
        Ending::Reset => reset(connection.tcp()),
        Ending::HalfClosed => {
            let _ = connection.shutdown().await;
            std::future::pending().await
        }
        Ending::Never => std::future::pending().await,
    }
}

/// Reads this many bytes, or fewer if the stream ends first.
async fn read_some(connection: &mut (impl AsyncRead + Unpin), limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    let _ = connection.take(limit).read_to_end(&mut bytes).await;
    bytes
}

/// Reads a request's header and body. Returns `None` if the connection ends first.
async fn read_request(connection: &mut (impl AsyncRead + Unpin)) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(length) = request_length(&bytes)
            && bytes.len() >= length
        {
            return Some(bytes);
        }
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// Returns a request's total length in bytes, or `None` while its header is incomplete.
fn request_length(bytes: &[u8]) -> Option<usize> {
    let header_length = bytes.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..header_length]);
    let announced = text
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "))?;
    Some(header_length + announced.parse::<usize>().ok()?)
}

/// A stream that resets its connection after this many bytes were written.
struct LimitedStream {
    stream: TcpStream,
    left: usize,
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.left == 0 {
            reset(&self.stream);
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        let limit = self.left.min(bytes.len());
        let count = ready!(Pin::new(&mut self.stream).poll_write(cx, &bytes[..limit]))?;
        self.left -= count;
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
